import { createHash, type KeyObject, randomUUID } from 'node:crypto'
import { parseEnvelope, type SoapService } from '@svc/soap-envelope'
import { type X509SignatureOptions, x509Signature } from '@svc/soap-envelope/signature'
import { clock } from '../../../internal/testing/clock.ts'
import { algorithmForKey, signData } from '../signature/algorithms.ts'
import { canonicalize } from '../signature/canonicalize.ts'
import { messageSigner, type SigningOptions } from '../signature/sign.ts'
import { findChildren, getAttribute, type XmlElement } from '../xml/element.ts'
import { DEFAULT_LIMITS } from '../xml/limits.ts'
import { WSU } from '../xml/names.ts'
import { treeReader } from '../xml/tree.ts'
import { FOR_AUTHORITIES, FOR_SIGNATURES, type Identity, issue } from './certificates.ts'
import { faultIn, post } from './post.ts'
import { getCustomer, SHOP, shopService } from './shop.ts'

export const DS = 'http://www.w3.org/2000/09/xmldsig#'
export const C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#'

/** An hour later than the certificates, which OpenSSL has just made. */
export const time = clock(Date.now() + 3_600_000)

export const authority = issue('/CN=Test authority', { extensions: FOR_AUTHORITIES })
export const client = issue('/CN=Ada/O=Partner', { extensions: FOR_SIGNATURES, issuer: authority, serial: 7 })

/** A service that returns the name of the user, and accepts signed messages only. */
export function signedService(options: Partial<X509SignatureOptions> = {}): SoapService {
  const trust = { trustedAuthorities: [authority.certificate] }
  return shopService(
    { security: [x509Signature({ ...trust, now: time.now, ...options })] },
    {
      getCustomer: ({ customerId }: { customerId: bigint }, { user }) => ({
        customer: { id: customerId, name: user?.name, email: '' },
      }),
    },
  )
}

export interface MessageOptions extends Partial<SigningOptions> {
  identity?: Identity
  headers?: readonly string[]
  body?: string
}

/** A signed request. */
export function signedMessage({ identity = client, headers = [], body, ...options }: MessageOptions = {}): string {
  const { privateKey, certificate } = identity
  const sign = messageSigner('test', { privateKey, certificate, now: time.now, ...options })
  const content = body ?? getCustomer().replaceAll('s:', 'x:').replace('>', ` xmlns:x="${SHOP}">`)
  return sign({ version: '1.2', body: content, headers, attachments: [], tokens: '' })
}

/** `200 id name`, or the fault. */
export async function findOutcome(xml: string, service: SoapService = signedService()): Promise<string> {
  const answer = await post(service, xml, { isSecure: true })
  if (answer.status !== 200) return (await faultIn(answer)).replace('400 Sender/', '')
  const { body } = await parseEnvelope(Buffer.from(answer.body), { understoodHeaders: () => true })
  const [id, name] = body?.children[0]?.children ?? []
  return `200 ${id?.text} ${name?.text}`
}

export function parse(xml: string): XmlElement {
  const reader = treeReader({ limits: DEFAULT_LIMITS })
  reader.write(xml.replace(/^<\?xml[^>]*\?>\s*/, ''))
  return reader.end()
}

/** The first element with a local name, in the order of the document. */
export function findElement(element: XmlElement, local: string): XmlElement | undefined {
  if (element.local === local) return element
  for (const child of element.children) {
    const match = findElement(child, local)
    if (match) return match
  }
  return undefined
}

/**
 * Signs a message again after something was changed: what an attacker with a key, or a strange
 * client, would send.
 */
export function signAgain(xml: string, key: KeyObject = client.key): string {
  let text = xml
  const root = parse(text)
  const signedInfo = findElement(root, 'SignedInfo')
  for (const reference of signedInfo ? findChildren(signedInfo, DS, 'Reference') : []) {
    const id = getAttribute(reference, '', 'URI')?.slice(1)
    const target = id === undefined ? undefined : findById(root, id)
    const old = findElement(reference, 'DigestValue')?.text ?? ''
    const list = findElement(reference, 'InclusiveNamespaces')
    const prefixes = (list && getAttribute(list, '', 'PrefixList')?.split(' ')) || []
    if (!target) continue
    const digest = createHash('sha256').update(canonicalize(target, prefixes)).digest('base64')
    text = text.replace(old, digest)
  }
  const content = findElement(parse(text), 'SignedInfo')
  const value = signData(algorithmForKey(key), content ? canonicalize(content) : '', key).toString('base64')
  return text.replace(/(SignatureValue>)[^<]*/, (_, tag: string) => tag + value)
}

export function findById(element: XmlElement, id: string): XmlElement | undefined {
  if (getAttribute(element, WSU, 'Id') === id) return element
  for (const child of element.children) {
    const match = findById(child, id)
    if (match) return match
  }
  return undefined
}

export const freshId = (): string => randomUUID()
