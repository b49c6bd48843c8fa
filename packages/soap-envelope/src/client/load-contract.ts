import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { inspectValue } from '../../../internal/options.ts'
import { assertHeaders, assertOptions, type OptionRules, TIMEOUT_MS } from '../assert-options.ts'
import { builtInSchema } from '../schema/built-in-schemas.ts'
import { SCHEMA_OPTIONS } from '../schema/compile.ts'
import { readDocument, relativeTo } from '../schema/documents.ts'
import { type Contract, type ParseContractOptions, parseContract } from '../wsdl/contract.ts'
import { readContentType } from '../xml/content-type.ts'
import { decodeDocument } from '../xml/decode-document.ts'
import { getAttribute, type XmlElement } from '../xml/element.ts'
import { WSDL, XSD } from '../xml/names.ts'
import { discard } from './exchange.ts'
import { hasCredentials, hideSecrets } from './hide-secrets.ts'

/** Options for `loadContract()`. */
export interface LoadContractOptions extends Omit<ParseContractOptions, 'resolveImport' | 'name'> {
  /**
   * Other hosts from which documents may be fetched, such as `schemas.example.com`.
   * @defaultValue []
   */
  allowedHosts?: readonly string[]
  /** HTTP headers of the requests to the host of the WSDL, such as `Authorization`. */
  headers?: Readonly<Record<string, string>>
  /** Maximum bytes of a document. @defaultValue 16777216 (16 MiB) */
  maxBytes?: number
  /** Maximum number of documents. @defaultValue 200 */
  maxDocuments?: number
  /** Maximum duration of a request, in milliseconds. @defaultValue 30000 */
  timeoutMs?: number
  /** Function that sends the requests. @defaultValue the `fetch` of Node.js */
  fetch?: typeof fetch
}

const OPTIONS: OptionRules<LoadContractOptions> = {
  service: 'string',
  port: 'string',
  long: SCHEMA_OPTIONS.long,
  allowedHosts: 'strings',
  headers: 'any',
  maxBytes: { min: 1 },
  maxDocuments: { min: 1 },
  timeoutMs: TIMEOUT_MS,
  fetch: 'function',
}
const MAX_REDIRECTS = 5

/**
 * Loads a WSDL from a file or a URL of HTTP, with everything that it imports, each document once. A
 * file imports files, a URL imports documents of its own host. Other hosts, including those of
 * redirects, must be in `allowedHosts`. Rejects with a `TypeError` if a document is missing, too
 * large, or not allowed.
 */
export async function loadContract(location: string | URL, options: LoadContractOptions = {}): Promise<Contract> {
  const owner = 'soap-envelope: loadContract'
  assertOptions(owner, options, OPTIONS)
  assertHeaders(owner, options.headers)
  const name = location instanceof URL ? nameOfUrl(location) : location
  if (!isLocation(name))
    throw new TypeError(
      `${owner}: location must be a file name or a URL of HTTP, got ${inspectValue(typeof name === 'string' ? hideSecrets(name) : name)}`,
    )
  if (name.includes('<')) throw new TypeError(`${owner}: pass a WSDL that is a text to parseContract()`)
  const texts = new Map<string, string>()
  const hosts = new Set([...(options.allowedHosts ?? []), ...(isRemote(name) ? [new URL(name).host] : [])])
  const loading: Loading = { options, texts, hosts, origin: isRemote(name) ? new URL(name).origin : '' }
  await load(name, name, loading)
  const { service, port, long } = options
  try {
    return parseContract(texts.get(name) ?? '', {
      ...(service !== undefined && { service }),
      ...(port !== undefined && { port }),
      ...(long !== undefined && { long }),
      name,
      resolveImport: (imported) => texts.get(imported) ?? '',
    })
  } catch (error) {
    throw withoutSecrets(error, texts.keys())
  }
}

/** Errors of a contract name its documents by their URLs, whose query may hold a token. */
function withoutSecrets(error: unknown, names: Iterable<string>): unknown {
  if (!(error instanceof TypeError)) return error
  let { message } = error
  for (const name of names) if (isRemote(name)) message = message.replaceAll(name, hideSecrets(name))
  return message === error.message ? error : new TypeError(message)
}

interface Loading {
  readonly options: LoadContractOptions
  readonly texts: Map<string, string>
  readonly hosts: ReadonlySet<string>
  readonly origin: string
}

function nameOfUrl(url: URL): string {
  return url.protocol === 'file:' ? fileURLToPath(url) : url.href
}

function isLocation(name: unknown): boolean {
  if (typeof name !== 'string' || name === '') return false
  return isRemote(name) ? URL.canParse(name) : !/^\w+:\/\//.test(name)
}

function isRemote(name: string): boolean {
  return /^https?:/i.test(name)
}

/**
 * Loads a document and those that it refers to. `name` is how the contract refers to it: relative
 * to other names. After a redirect its `address` is another one, and its references are relative to
 * that (RFC 3986 §5.1.3).
 */
async function load(name: string, address: string, loading: Loading): Promise<void> {
  const { texts, options } = loading
  if (texts.has(name)) return
  if (texts.size >= (options.maxDocuments ?? 200))
    throw new TypeError(`soap-envelope: loadContract: more than ${texts.size} documents`)
  texts.set(name, '') // before it is there: documents import each other in circles
  const document = isRemote(address)
    ? await fetchText(new URL(address), loading, 0)
    : { text: await readText(address, loading), address }
  texts.set(name, document.text)
  for (const location of locationsIn(readDocument(document.text, isRemote(name) ? hideSecrets(name) : name)))
    await load(relativeTo(name, location), relativeTo(document.address, location), loading)
}

async function readText(name: string, { origin, options }: Loading): Promise<string> {
  if (origin !== '')
    throw new TypeError(`soap-envelope: loadContract: ${inspectValue(name)} is not on the host of the WSDL`)
  const bytes = await readFile(name).catch((cause: Error) => {
    throw new TypeError(`soap-envelope: loadContract: ${cause.message}`, { cause })
  })
  if (bytes.length > maxBytes(options)) throw tooLarge(name)
  return decodeDocument(bytes, name)
}

/** Returns a document with the address that redirects have led to. */
async function fetchText(url: URL, loading: Loading, redirects: number): Promise<{ text: string; address: string }> {
  const { options, hosts, origin } = loading
  if (hasCredentials(url))
    throw new TypeError('soap-envelope: loadContract: a URL must not contain credentials: set headers.Authorization')
  const name = hideSecrets(url)
  if (!hosts.has(url.host))
    throw new TypeError(
      `soap-envelope: loadContract: ${name} is on a host that is not allowed: add "${url.host}" to allowedHosts`,
    )
  const response = await (options.fetch ?? fetch)(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(options.timeoutMs ?? 30_000),
    // Credentials are for the host of the WSDL, not for others that it refers to.
    headers: url.origin === origin ? { ...options.headers } : {},
  })
  const next = response.headers.get('location')
  if (response.status >= 300 && response.status < 400 && next !== null) {
    await discard(response)
    if (redirects >= MAX_REDIRECTS) throw new TypeError(`soap-envelope: loadContract: ${name} redirects too often`)
    return await fetchText(new URL(next, url), loading, redirects + 1)
  }
  if (!response.ok) {
    await discard(response)
    throw new TypeError(`soap-envelope: loadContract: ${name} responded ${response.status}`)
  }
  return { text: await readBody(response, name, options), address: url.href }
}

async function readBody(response: Response, name: string, options: LoadContractOptions): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes(options)) throw tooLarge(name)
    chunks.push(chunk)
  }
  const { charset } = readContentType(response.headers.get('content-type') ?? undefined)
  return decodeDocument(Buffer.concat(chunks), name, charset)
}

function maxBytes({ maxBytes: max = 16_777_216 }: LoadContractOptions): number {
  return max
}

function tooLarge(name: string): TypeError {
  return new TypeError(`soap-envelope: loadContract: ${name} is larger than maxBytes`)
}

/** The locations of the documents that a WSDL or a schema refers to. */
function locationsIn(root: XmlElement): string[] {
  const locations: string[] = []
  const visit = (element: XmlElement): void => {
    const { uri, local, children } = element
    const refersTo = /^(import|include|redefine)$/.test(local)
    const attribute = uri === WSDL ? 'location' : uri === XSD ? 'schemaLocation' : ''
    const location = refersTo && attribute !== '' ? getAttribute(element, '', attribute)?.trim() : undefined
    const isBuiltIn = uri === XSD && builtInSchema(getAttribute(element, '', 'namespace') ?? '') !== undefined
    if (location && !(isBuiltIn && isRemote(location))) locations.push(location)
    for (const child of children) if (child.uri === WSDL || child.uri === XSD) visit(child)
  }
  visit(root)
  return locations
}
