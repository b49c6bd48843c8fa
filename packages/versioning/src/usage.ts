import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage } from '../../internal/middleware.ts'
import type { RequestVersion } from './choose.ts'
import type { VersioningCode } from './refusal.ts'

/** What is published on the diagnostics channel `svc:versioning:request`, once for each request. */
export interface VersioningEvent {
  /** The request, as its host has it. */
  req: IncomingMessage
  /** What serves the request; `undefined` when it is refused. */
  version: RequestVersion | undefined
  /** Why it is refused. */
  code: VersioningCode | undefined
}

const requests = channel('svc:versioning:request')

/** Publishes an event where somebody listens. */
export function publishUsage(
  req: IncomingMessage,
  version: RequestVersion | undefined,
  code: VersioningCode | undefined,
): void {
  if (!requests.hasSubscribers) return
  const event: VersioningEvent = { req, version, code }
  requests.publish(event)
}
