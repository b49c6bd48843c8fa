import type { ServerResponse } from 'node:http'
import type { Middleware } from '@svc/negotiate'
import type { RateLimitStore } from '@svc/ratelimit'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Database } from '../database/connection.ts'
import type { CompiledCollections } from '../engine/compiled-collection.ts'
import type { Route } from '../engine/route.ts'
import type { ApiVersion } from '../engine/versions.ts'
import type { Formats } from '../formats/formats.ts'
import type { Asset, SiteAdditions } from '../formats/pages/view.ts'
import type { WriteInfo } from './log.ts'
import type { Observer } from './pipeline.ts'
import type { Services } from './services.ts'
import type { SoapServiceDefinition } from './soap/endpoints.ts'

/** Everything that the app needs and does not make itself. */
export interface AppDependencies {
  config: Config
  database: Database
  services: Services
  shapes: CompiledCollections
  /** API versions, oldest first. */
  versions: readonly ApiVersion[]
  formats: Formats
  state: ServiceState
  log: Logger
  /** Writes the lines of requests. Omitted if the level is off. */
  writeInfo?: WriteInfo | undefined
  /** Measures every request. */
  measure: Observer
  /** Shared counters. @defaultValue those of this process */
  rateLimitStore?: RateLimitStore
}

/** State of the whole process. The admin listener and signals change it. */
export interface ServiceState {
  /** Every request but health gets 503. */
  maintenance: boolean
  /** Whether the process is about to stop: requests in flight finish, new ones get 503. */
  draining: boolean
  /**
   * Responses in progress. A Set would keep each of them alive until a full garbage collection: V8
   * chains the tables that a Set outgrows, and the oldest one holds the rest.
   */
  readonly inFlight: ServerResponse[]
  /** Whether the counters that processes share are available. Omitted if they share none. */
  hasSharedCounters?(): boolean
}

/** Parts that are added to the service from outside of it. */
export interface Extension {
  /** Sees every request before it can be rejected. */
  observe?: Middleware
  /** Middleware after the limits of size and before the routes. */
  stages?: readonly Middleware[]
  /** Paths next to those of the service. A page of a record is given by its route. */
  routes?: readonly Route[]
  /** SOAP services, by path: `/ws/rooms`. */
  soap?: Readonly<Record<string, SoapServiceDefinition>>
  /** Files that its pages load. */
  assets?: readonly Asset[]
  /** Additions to the pages of the service. */
  site?: SiteAdditions
  /** Returns the message of an error in a language; `undefined` leaves it to the service. */
  localize?(code: string, language: string, params: Readonly<Record<string, unknown>>): string | undefined
}

/** Creates an extension for a service that starts. */
export type CreateExtension = (dependencies: AppDependencies) => Extension

/** Collects the parts of extensions by kind, in their order. */
export function joinExtensions(extensions: readonly Extension[]) {
  const soap: Extension['soap'] = Object.assign({}, ...extensions.map((extension) => extension.soap))
  return {
    soap,
    observe: extensions.flatMap(({ observe }) => observe ?? []),
    stages: extensions.flatMap(({ stages = [] }) => stages),
    routes: extensions.flatMap(({ routes = [] }) => routes),
    assets: extensions.flatMap(({ assets = [] }) => assets),
    site: extensions.flatMap(({ site }) => site ?? []),
    localizers: extensions.flatMap(({ localize }) => localize ?? []),
  }
}
