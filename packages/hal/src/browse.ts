import { type HalReader, parseHal } from './parse-hal.ts'
import { expand } from './uri-template.ts'
import type { TemplateVariables } from './uri-template-expand.ts'

/** The part of `fetch` that is needed: the global one, or one that asks an app in process. */
export type Fetch = (url: string, init: { headers: Record<string, string> }) => Promise<Response>

/** Options for `browse()`. */
export interface BrowseOptions {
  /** @defaultValue the global fetch */
  fetch?: Fetch
  /** Headers of every request, in addition to Accept. */
  headers?: Record<string, string>
}

/** A document of a service, and the way on from it. */
export interface Browser extends HalReader {
  /** URL of the document, after redirects. */
  readonly url: string
  /** HTTP status that it came with. */
  readonly status: number
  /** Goes along a link. Rejects with an Error that names the relations that there are. */
  follow(relation: string, variables?: TemplateVariables): Promise<Browser>
}

export const ACCEPT = 'application/hal+json, application/json;q=0.9, */*;q=0.1'

/** Opens a URL of a HAL service as a client would, for tests that walk from link to link. */
export async function browse(url: string, options: BrowseOptions = {}): Promise<Browser> {
  const { fetch = globalThis.fetch, headers = {} } = options
  const response = await fetch(url, { headers: { accept: ACCEPT, ...headers } })
  const reader = parseHal(await readJson(response))
  return {
    ...reader,
    url,
    status: response.status,
    follow(relation, variables = {}) {
      const link = reader.link(relation)
      const relations = reader.relations.join(', ') || 'none'
      if (!link) return Promise.reject(new Error(`${url} has no link "${relation}", its relations are: ${relations}`))
      const href = link.templated ? expand(link.href, variables) : link.href
      return browse(new URL(href, url).href, options)
    },
  }
}

/** The JSON of a response; `undefined` where there is none. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  if (!/[/+]json\b/i.test(response.headers.get('content-type') ?? '')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
