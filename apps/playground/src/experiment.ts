import type { DemoTextKey } from './texts.ts'

/** Several requests that show one thing, as data: pages run them in the browser, tests on every start. */
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
   * What is shown after its steps: the two bodies with their differences marked, all bodies side by side, or when each
   * request was sent and answered.
   */
  shows?: 'differences' | 'bodies' | 'timeline'
}

/** One request, and what its answer must be. `{name}` stands for what an earlier step kept. */
export interface Step {
  says?: Extract<DemoTextKey, `step.${string}`>
  /** @defaultValue GET */
  method?: string
  path: string
  /** The demo user who sends it. @defaultValue nobody */
  as?: string
  headers?: Readonly<Record<string, string>>
  /** Sent as JSON, unless `headers` name another type. */
  json?: unknown
  body?: string
  /** How often it is sent at the same time. @defaultValue 1 */
  times?: number
  /** How long to wait before it. @defaultValue 0 */
  waitSeconds?: number
  /** What later steps need: a field (`header etag`) or a member (`json /id`), by the name that stands for it. */
  keep?: Readonly<Record<string, string>>
  expect: Expected
}

export interface Expected {
  /** One status, or for `times` how often each comes. */
  status: number | readonly number[] | Readonly<Record<string, number>>
  /** Patterns that fields match; `null`: the field is not there. */
  headers?: Readonly<Record<string, string | null>>
  /** A pattern that the body matches; `''`: there is none. */
  body?: string
}
