import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage } from '../../internal/middleware.ts'
import type { RequestVersion } from './resolve-version.ts'
import type { VersioningErrorCode } from './version-error.ts'

/** Message of the diagnostics channel `svc:versioning:request`, published once for each request. */
export interface VersioningEvent {
  /** The request of the host. */
  req: IncomingMessage
  /** The version of the request; `undefined` if it was rejected. */
  version: RequestVersion | undefined
  /** The code of the error, if the request was rejected. */
  code: VersioningErrorCode | undefined
}

const requests = channel('svc:versioning:request')

/** Publishes an event if the channel has subscribers. */
export function publishEvent(
  req: IncomingMessage,
  version: RequestVersion | undefined,
  code: VersioningErrorCode | undefined,
): void {
  if (!requests.hasSubscribers) return
  const event: VersioningEvent = { req, version, code }
  requests.publish(event)
}
