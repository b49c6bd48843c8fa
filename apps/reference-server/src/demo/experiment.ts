/** Several requests that show one thing, as data: pages run them in the browser, tests on every start. */
export interface Experiment {
  /** Unique among all: part of addresses. */
  id: string
  title: string
  says: string
  steps: readonly Step[]
}

/** One request, and what its answer must be. `{name}` stands for what an earlier step kept. */
export interface Step {
  says?: string
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
