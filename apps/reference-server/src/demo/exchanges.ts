/** One request and its answer, as the log shows them: nothing secret is in it. */
export interface Entry {
  /** Counts up from 1. */
  number: number
  time: string
  method: string
  target: string
  /** 0: the connection broke before there was an answer. */
  status: number
  ms: number
  user: string | undefined
  correlationId: string
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

/** How many are kept. */
export const KEPT = 200

/** The last exchanges, and those who watch. */
export class Exchanges {
  readonly #entries: Entry[] = []
  readonly #watchers = new Set<(entry: Entry) => void>()
  #count = 0

  add(entry: Omit<Entry, 'number'>): void {
    const numbered = { number: ++this.#count, ...entry }
    this.#entries.push(numbered)
    if (this.#entries.length > KEPT) this.#entries.shift()
    for (const watch of this.#watchers) watch(numbered)
  }

  /** Those that fit, the newest first. */
  list(filter: EntryFilter): Entry[] {
    return this.#entries.filter((entry) => fits(entry, filter)).reverse()
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

function fits({ method, status, target, correlationId }: Entry, filter: EntryFilter): boolean {
  if (filter.method && method !== filter.method) return false
  if (filter.status && !String(status).startsWith(filter.status)) return false
  if (filter.path && !target.includes(filter.path)) return false
  return !filter.id || correlationId === filter.id
}

/** What a query asks the log for. */
export function filterOf(search: string): EntryFilter {
  const query = new URLSearchParams(search)
  const get = (name: string): string | undefined => query.get(name) || undefined
  return { method: get('method'), status: get('status'), path: get('path'), id: get('id') }
}
