import { assertKnownOptions, assertTypes } from '../../internal/options.ts'
import { type HalReader, parseHal } from './parse-hal.ts'
import { expandUriTemplate } from './uri-template.ts'
import type { TemplateVariables } from './uri-template-expand.ts'

/** The used part of `fetch`: the global one, or one that calls an app in the same process. */
export type Fetch = (url: string, init: { headers: Record<string, string> }) => Promise<Response>

/** Options for `browse()`. */
export interface BrowseOptions {
  /** Function that sends the requests. @defaultValue the global fetch */
  fetch?: Fetch
  /** Headers of every request, in addition to Accept. */
  headers?: Record<string, string>
}

/** A document of an API, from which its links can be followed. */
export interface Browser extends HalReader {
  /** URL of the document, after redirects. */
  readonly url: string
  /** HTTP status of the response. */
  readonly status: number
  /** Follows a link. Rejects with an `Error` that lists the relations if there is none. */
  follow(relation: string, variables?: TemplateVariables): Promise<Browser>
}

export const ACCEPT = 'application/hal+json, application/json;q=0.9, */*;q=0.1'

/**
 * Requests a URL of a HAL API, for tests that follow links like a client.
 *
 * @example
 * const order = await (await browse('http://localhost:3000/')).follow('orders')
 */
export async function browse(url: string, options: BrowseOptions = {}): Promise<Browser> {
  assertKnownOptions('hal: browse', options, ['fetch', 'headers'])
  assertTypes('hal: browse', options, { fetch: 'function', headers: 'object' })
  const { fetch = globalThis.fetch, headers = {} } = options
  const response = await fetch(url, { headers: { accept: ACCEPT, ...headers } })
  const reader = parseHal(await readJson(response))
  const finalUrl = response.url || url
  return {
    ...reader,
    url: finalUrl,
    status: response.status,
    follow(relation, variables = {}) {
      const link = reader.link(relation)
      const relations = reader.relations.join(', ') || 'none'
      if (!link)
        return Promise.reject(new Error(`${finalUrl} has no link "${relation}"; its relations are: ${relations}`))
      const href = link.templated ? expandUriTemplate(link.href, variables) : link.href
      return browse(new URL(href, finalUrl).href, options)
    },
  }
}

/** Returns the JSON of a response, or `undefined` if it has none. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  if (!/[/+]json\b/i.test(response.headers.get('content-type') ?? '')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
