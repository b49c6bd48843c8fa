import { createHash } from 'node:crypto'
import { senderFault } from '../fault.ts'
import type { SoapRequest, SoapResponse } from './request.ts'
import type { Table } from './versions.ts'

const ALLOW = 'GET, HEAD, OPTIONS, POST'

/**
 * Answers what is no POST: OPTIONS, and GET of `?wsdl`, `?wsdl=name`, `?xsd=name`. The names are looked up in fixed
 * tables. Throws a fault: 404 for an unknown name, 405 for everything else.
 */
export function serveDocument(request: SoapRequest, { versions }: Table): SoapResponse {
  if (request.method === 'OPTIONS') return { status: 204, headers: { Allow: ALLOW }, body: '' }
  if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed()
  const asked = documentAsked(request.query ?? '')
  if (!asked) throw methodNotAllowed()
  const url = request.publicUrl ?? request.path ?? ''
  const { kind, name } = asked
  const text =
    kind === 'wsdl'
      ? (name === '' ? versions[0] : versions.find((version) => version.name === name))?.contract.wsdl(url)
      : firstOf(versions, ({ contract }) => contract.xsd(name || (contract.schemas[0] ?? ''), url))
  if (text === undefined) throw senderFault('NotFound', 'There is no such document.', { status: 404, httpStatus: 404 })
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
  const headers = { ETag: tag, 'Cache-Control': 'public, max-age=300' }
  if (matches(request.ifNoneMatch, tag)) return { status: 304, headers, body: '' }
  return { status: 200, headers: { ...headers, 'Content-Type': 'text/xml; charset=utf-8' }, body: text }
}

interface Asked {
  kind: 'wsdl' | 'xsd'
  name: string
}

/** `?wsdl` in any case, as tools of every origin write it; also behind other parameters. */
function documentAsked(query: string): Asked | undefined {
  for (const [key, value] of new URLSearchParams(query)) {
    const kind = key.toLowerCase()
    if (kind === 'wsdl' || kind === 'xsd') return { kind, name: value }
  }
  return undefined
}

function firstOf<T, U>(items: readonly T[], map: (item: T) => U | undefined): U | undefined {
  for (const item of items) {
    const found = map(item)
    if (found !== undefined) return found
  }
  return undefined
}

function methodNotAllowed(): Error {
  return senderFault('MethodNotAllowed', 'The service takes POST; its WSDL is at ?wsdl.', {
    ...{ status: 405, httpStatus: 405 },
    headers: { Allow: ALLOW },
  })
}

function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((other) => other.trim().replace(/^W\//, '') === tag)
}
