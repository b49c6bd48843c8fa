import type { RateLimitStore } from '@svc/ratelimit'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Database } from '../database/connection.ts'
import type { CompiledCollections } from '../engine/compiled-collection.ts'
import type { ApiVersion } from '../engine/versions.ts'
import type { Formats } from '../formats/formats.ts'
import type { Observer } from './pipeline.ts'
import type { ServiceState } from './service-state.ts'
import type { Services } from './services.ts'

/** Everything that the app needs and does not make itself. */
export interface Parts {
  config: Config
  database: Database
  services: Services
  shapes: CompiledCollections
  /** API versions, oldest first. */
  versions: readonly ApiVersion[]
  formats: Formats
  state: ServiceState
  log: Logger
  /** Measures every request. */
  measure: Observer
  /** Shared counters; left out: those of this process. */
  rateLimitStore?: RateLimitStore
}
