import type { ServerResponse } from 'node:http'

/** What the process as a whole is doing. The admin listener and signals change it. */
export interface ServiceState {
  /** Every request but health gets 503. */
  maintenance: boolean
  /** The process is about to stop: requests in flight are answered, new ones get 503. */
  draining: boolean
  /** Answers that are being worked on now. */
  readonly inFlight: Set<ServerResponse>
  /** Whether the counters that processes share can be had now. Left out: they share none. */
  hasSharedCounters?(): boolean
}
