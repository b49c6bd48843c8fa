import { maskHeaders, maskUrl } from '../../reference-server/src/index.ts'

type Headers = Readonly<Record<string, unknown>>

/** One request and its response by reference, as they were when the response ended. */
export interface Recorded {
  /** Milliseconds since 1970. */
  startedAt: number
  method: string
  target: string
  /** 0: the connection closed before there was a response. */
  status: number
  ms: number
  user: string | undefined
  correlationId: string
  request: Headers
  /** Headers that were set, then those of `writeHead`, as a record or as a flat list. */
  response: readonly [set: Headers, written: unknown]
}

/** One request and its response as the log shows them: without secrets. */
export interface Entry extends Omit<Recorded, 'startedAt' | 'request' | 'response'> {
  /** Counts up from 1. */
  number: number
  time: string
  request: Readonly<Record<string, string>>
  response: Readonly<Record<string, string>>
}

export interface EntryFilter {
  method?: string | undefined
  /** `404`, or `4` for all that begin so. */
  status?: string | undefined
  /** A part of the target. */
  path?: string | undefined
  /** A correlation id. */
  id?: string | undefined
}

/** The number of exchanges that are stored. */
export const MAX_ENTRIES = 200

/**
 * The last exchanges, and those who watch. Headers are kept by reference: masking and copying them
 * for every request would cost more than a third of a small request, and most requests are never
 * looked at.
 */
export class Exchanges {
  readonly #recorded: Recorded[] = []
  readonly #watchers = new Set<(entry: Entry) => void>()
  #count = 0

  add(recorded: Recorded): void {
    this.#count++
    this.#recorded.push(recorded)
    if (this.#recorded.length > MAX_ENTRIES) this.#recorded.shift()
    if (this.#watchers.size === 0) return
    const entry = toEntry(recorded, this.#count)
    for (const watch of this.#watchers) watch(entry)
  }

  /**
   * Numbers of all exchanges, and of the last ones: the median of their times, and how many were
   * rejected.
   */
  summary(): { count: number; medianMs: number; rejected: number } {
    const times = this.#recorded.map(({ ms }) => ms).sort((a, b) => a - b)
    const medianMs = Math.round((times[times.length >> 1] ?? 0) * 10) / 10
    const rejected = this.#recorded.filter(({ status }) => status >= 400 && status < 500).length
    return { count: this.#count, medianMs, rejected }
  }

  /** The status and the duration of the last exchanges, up to `count` of them, the oldest first. */
  latest(count: number): readonly Pick<Recorded, 'status' | 'ms'>[] {
    return this.#recorded.slice(-count)
  }

  /** Those that match, the newest first. */
  list(filter: EntryFilter): Entry[] {
    const first = this.#count - this.#recorded.length + 1
    return this.#recorded
      .map((recorded, index) => toEntry(recorded, first + index))
      .filter((entry) => fits(entry, filter))
      .reverse()
  }

  /** Calls with each new one, until the returned function is called. */
  watch(filter: EntryFilter, tell: (entry: Entry) => void): () => void {
    const watch = (entry: Entry): void => {
      if (fits(entry, filter)) tell(entry)
    }
    this.#watchers.add(watch)
    return () => void this.#watchers.delete(watch)
  }
}

function toEntry({ startedAt, target, ms, request, response, ...rest }: Recorded, number: number): Entry {
  const [set, written] = response
  return {
    number,
    time: new Date(startedAt).toISOString(),
    ...rest,
    target: maskUrl(target),
    ms: Math.round(ms * 10) / 10,
    request: maskAll(request),
    response: maskAll(toLowerCase({ ...set, ...toRecord(written) })),
  }
}

const ADDRESSES = new Set(['location', 'content-location', 'link', 'referer'])

// Addresses have secrets in their queries. `>` ends each one of Link.
function maskAll(headers: Headers): Record<string, string> {
  const masked = Object.entries(maskHeaders(headers)).map(([name, value]) => [
    name,
    ADDRESSES.has(name) ? value.split('>').map(maskUrl).join('>') : value,
  ])
  return Object.fromEntries(masked)
}

function toRecord(written: unknown): Headers {
  if (typeof written !== 'object' || written === null) return {}
  if (!Array.isArray(written)) return written as Headers
  const pairs = written.flatMap((value, index) =>
    index % 2 === 0 ? [[String(value), written[index + 1]] as const] : [],
  )
  return Object.fromEntries(pairs)
}

function toLowerCase(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

// The filter sees what the log shows: a secret in a target cannot be guessed by filtering for it.
function fits({ method, status, target, correlationId }: Entry, filter: EntryFilter): boolean {
  if (filter.method && method !== filter.method) return false
  if (filter.status && !String(status).startsWith(filter.status)) return false
  if (filter.path && !target.includes(filter.path)) return false
  return !filter.id || correlationId === filter.id
}

/** Reads a filter of the log from a query. */
export function parseFilter(search: string): EntryFilter {
  const query = new URLSearchParams(search)
  const get = (name: string): string | undefined => query.get(name) || undefined
  return { method: get('method'), status: get('status'), path: get('path'), id: get('id') }
}
