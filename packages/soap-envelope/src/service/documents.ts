import { createHash } from 'node:crypto'
import { senderFault } from '../fault.ts'
import type { SoapRequest, SoapResponse } from './request.ts'
import type { Table, Version } from './versions.ts'

const ALLOW = 'GET, HEAD, OPTIONS, POST'

/**
 * Responds to methods other than POST: OPTIONS, and GET of `?wsdl`, `?wsdl=name`, `?xsd=name`, and
 * `?wsdl=version&xsd=name`. The names are looked up in fixed tables. Throws a fault: 404 for an
 * unknown name, 405 for everything else.
 */
export function serveDocument(request: SoapRequest, { versions }: Table): SoapResponse {
  if (request.method === 'OPTIONS')
    return { status: 204, headers: { Allow: ALLOW, 'Cache-Control': 'no-store' }, body: '' }
  if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed()
  const asked = documentAsked(request.query ?? '')
  if (!asked) throw methodNotAllowed()
  const url = request.publicUrl ?? request.path ?? ''
  const { kind, name, version } = asked
  const candidates = version === undefined ? versions : versions.filter((candidate) => candidate.name === version)
  const text = kind === 'wsdl' ? findWsdl(candidates, name, url) : findXsd(candidates, name, url)
  if (text === undefined) throw senderFault('NotFound', 'There is no such document.', { status: 404, httpStatus: 404 })
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
  const headers = { ETag: tag, 'Cache-Control': 'public, max-age=300' }
  if (matches(request.ifNoneMatch, tag)) return { status: 304, headers, body: '' }
  return { status: 200, headers: { ...headers, 'Content-Type': 'text/xml; charset=utf-8' }, body: text }
}

interface Asked {
  kind: 'wsdl' | 'xsd'
  name: string
  /** The version whose document it is. */
  version?: string
}

/**
 * `?wsdl` in any case, as tools differ in that; other parameters may precede it. A document that
 * follows it is one of that version.
 */
function documentAsked(query: string): Asked | undefined {
  const asked: Asked[] = []
  for (const [key, name] of new URLSearchParams(query)) {
    const kind = key.toLowerCase()
    if (kind === 'wsdl' || kind === 'xsd') asked.push({ kind, name })
  }
  const [first, document] = asked
  return first?.kind === 'wsdl' && document ? { ...document, version: first.name } : first
}

/** The WSDL of the first version, of the version with this name, or one that a WSDL imports. */
function findWsdl(versions: readonly Version[], name: string, url: string): string | undefined {
  const version = name === '' ? versions[0] : versions.find((candidate) => candidate.name === name)
  if (version) return version.contract.wsdl(url, undefined, version.linkName)
  return firstText(versions, ({ contract, linkName }) => contract.wsdl(url, name, linkName))
}

function findXsd(versions: readonly Version[], name: string, url: string): string | undefined {
  return firstText(versions, ({ contract, linkName }) =>
    contract.xsd(name || (contract.schemas[0] ?? ''), url, linkName),
  )
}

function firstText(
  versions: readonly Version[],
  findText: (version: Version) => string | undefined,
): string | undefined {
  for (const version of versions) {
    const text = findText(version)
    if (text !== undefined) return text
  }
  return undefined
}

function methodNotAllowed(): Error {
  return senderFault('MethodNotAllowed', 'The service accepts POST. Its WSDL is at ?wsdl.', {
    status: 405,
    httpStatus: 405,
    headers: { Allow: ALLOW },
  })
}

function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((other) => other.trim().replace(/^W\//, '') === tag)
}
