import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage } from '../../internal/middleware.ts'
import type { RequestVersion } from './resolve-version.ts'
import type { VersioningErrorCode } from './version-error.ts'

/** What is published on the diagnostics channel `svc:versioning:request`, once for each request. */
export interface VersioningEvent {
  /** The request, as its host has it. */
  req: IncomingMessage
  /** What serves the request; `undefined` when it is refused. */
  version: RequestVersion | undefined
  /** Why it is refused. */
  code: VersioningErrorCode | undefined
}

const requests = channel('svc:versioning:request')

/** Publishes an event where somebody listens. */
export function publishEvent(
  req: IncomingMessage,
  version: RequestVersion | undefined,
  code: VersioningErrorCode | undefined,
): void {
  if (!requests.hasSubscribers) return
  const event: VersioningEvent = { req, version, code }
  requests.publish(event)
}
