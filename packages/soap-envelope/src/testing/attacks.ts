import { getAttribute } from '../xml/element.ts'
import { WSU } from '../xml/names.ts'
import { FOR_SIGNATURES, issue } from './certificates.ts'
import { getCustomer, SHOP } from './shop.ts'
import { authority, findElement, parse } from './signing.ts'

/** The outcome of a signed message without an attack. */
export const VALID = '200 42 CN=Ada, O=Partner'
/** A client with a key of ECDSA. */
export const P256 = issue('/CN=Ada/O=Partner', { algorithm: 'P-256', extensions: FOR_SIGNATURES, issuer: authority })

export const BODY = /<env:Body.*<\/env:Body>/s
/** A Body without a signature. */
export const forged = `<env:Body>${getCustomer('666').replace('>', ` xmlns:s="${SHOP}">`)}</env:Body>`

/** The id of the first element with a local name. */
export function findId(xml: string, local: string): string {
  const element = findElement(parse(xml), local)
  return (element && getAttribute(element, WSU, 'Id')) ?? ''
}

export function intoHeader(xml: string, block: string): string {
  return xml.replace('</env:Header>', `${block}</env:Header>`)
}

export function withForgedBody(xml: string, attributes = ''): string {
  return xml.replace(BODY, forged.replace('<env:Body', `<env:Body${attributes}`))
}
