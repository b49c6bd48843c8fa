import type { DemoTextKey } from './texts.ts'

/**
 * Several requests that show one thing, as data. Pages run them in the browser, and so do tests
 * over HTTP.
 */
export interface Experiment {
  /** Unique among all: part of addresses, and of the keys of its texts. */
  id: string
  steps: readonly Step[]
}

/** The experiments that playgrounds have texts for. */
export type ExperimentId = DemoTextKey extends infer K ? (K extends `${infer I}.says` ? I : never) : never

/** An experiment of a playground. */
export interface PlayExperiment extends Experiment {
  id: ExperimentId
  /**
   * The view after its steps: the two bodies with their differences marked, all bodies side by
   * side, or a timeline of requests and responses.
   */
  shows?: 'differences' | 'bodies' | 'timeline'
}

/**
 * One request and the response that it must get. `{name}` is a value that an earlier step stored.
 */
export interface Step {
  says?: Extract<DemoTextKey, `step.${string}`>
  /** @defaultValue GET */
  method?: string
  path: string
  /** The demo user who sends it. By default it has no credentials. */
  as?: string
  headers?: Readonly<Record<string, string>>
  /** Sent as JSON, unless `headers` name another type. */
  json?: unknown
  body?: string
  /** The number of times that it is sent concurrently. @defaultValue 1 */
  times?: number
  /** Seconds to wait before it. @defaultValue 0 */
  waitSeconds?: number
  /** Values for later steps by their name: a header (`header etag`) or a property (`json /id`). */
  keep?: Readonly<Record<string, string>>
  expect: Expected
}

export interface Expected {
  /** One status, several that are allowed, or for `times` the number of each. */
  status: number | readonly number[] | Readonly<Record<string, number>>
  /** Patterns that headers match; `null`: the header is absent. */
  headers?: Readonly<Record<string, string | null>>
  /** A pattern that the body matches; `''`: it is empty. */
  body?: string
}
