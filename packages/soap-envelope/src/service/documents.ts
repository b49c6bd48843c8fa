import { createHash } from 'node:crypto'
import { senderFault } from '../fault.ts'
import type { SoapRequest, SoapResponse } from './request.ts'
import type { Table, Version } from './versions.ts'

const ALLOW = 'GET, HEAD, OPTIONS, POST'

/**
 * Responds to methods other than POST: OPTIONS, and GET of `?wsdl`, `?wsdl=name`, `?xsd=name`. The
 * names are looked up in fixed tables. Throws a fault: 404 for an unknown name, 405 for everything
 * else.
 */
export function serveDocument(request: SoapRequest, { versions }: Table): SoapResponse {
  if (request.method === 'OPTIONS')
    return { status: 204, headers: { Allow: ALLOW, 'Cache-Control': 'no-store' }, body: '' }
  if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed()
  const asked = documentAsked(request.query ?? '')
  if (!asked) throw methodNotAllowed()
  const url = request.publicUrl ?? request.path ?? ''
  const { kind, name } = asked
  const text = kind === 'wsdl' ? findWsdl(versions, name, url) : findXsd(versions, name, url)
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

/** `?wsdl` in any case, as tools differ in that; other parameters may precede it. */
function documentAsked(query: string): Asked | undefined {
  for (const [key, value] of new URLSearchParams(query)) {
    const kind = key.toLowerCase()
    if (kind === 'wsdl' || kind === 'xsd') return { kind, name: value }
  }
  return undefined
}

/** The WSDL of the first version, of the version with this name, or one that a WSDL imports. */
function findWsdl(versions: Table['versions'], name: string, url: string): string | undefined {
  const version = name === '' ? versions[0] : versions.find((candidate) => candidate.name === name)
  if (version) return version.contract.wsdl(url)
  return firstText(versions, ({ contract }) => contract.wsdl(url, name))
}

function findXsd(versions: Table['versions'], name: string, url: string): string | undefined {
  return firstText(versions, ({ contract }) => contract.xsd(name || (contract.schemas[0] ?? ''), url))
}

function firstText(
  versions: Table['versions'],
  findText: (version: Version) => string | undefined,
): string | undefined {
  for (const version of versions) {
    const text = findText(version)
    if (text !== undefined) return text
  }
  return undefined
}

function methodNotAllowed(): Error {
  return senderFault('MethodNotAllowed', 'The service takes POST; its WSDL is at ?wsdl.', {
    status: 405,
    httpStatus: 405,
    headers: { Allow: ALLOW },
  })
}

function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((other) => other.trim().replace(/^W\//, '') === tag)
}
