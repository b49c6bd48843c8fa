import type { Middleware } from '@svc/negotiate'
import type { Route } from '../engine/route.ts'
import type { Asset } from '../formats/pages/assets.ts'
import type { SiteAdditions } from '../formats/pages/view.ts'
import type { Parts } from './dependencies.ts'
import type { SoapServiceDefinition } from './soap/endpoints.ts'

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
  /** What it adds to the pages of the service. */
  site?: SiteAdditions
  /** Returns the message of an error in a language; `undefined` leaves it to the service. */
  localize?(code: string, language: string, params: Readonly<Record<string, unknown>>): string | undefined
}

/** Creates an extension for a service that starts. */
export type CreateExtension = (dependencies: Parts) => Extension
