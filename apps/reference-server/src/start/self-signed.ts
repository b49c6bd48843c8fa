import { generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import { isIP, isIPv6 } from 'node:net'
import { bitString, integer, objectId, octetString, sequence, set, tagged, utcTime, utf8String } from './der.ts'

export interface SelfSigned {
  cert: string
  key: string
  /** What a careful client compares: SHA-256 of the certificate. */
  fingerprint: string
}

const DAY_MS = 86_400_000
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const COMMON_NAME = '2.5.4.3'
const SUBJECT_ALT_NAME = '2.5.29.17'
const DNS_NAME = 0x82
const IP_ADDRESS = 0x87

/** Makes a certificate for this machine alone (RFC 5280): P-256, valid for 90 days, kept nowhere. */
export function selfSigned(hosts: readonly string[] = ['localhost', '127.0.0.1', '::1']): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(objectId(ECDSA_WITH_SHA256))
  const name = sequence(set(sequence(objectId(COMMON_NAME), utf8String('svc reference server'))))
  const now = Date.now()
  const altNames = octetString(sequence(...hosts.map(altName)))
  const toBeSigned = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x4f]), randomBytes(15)])),
    algorithm,
    name,
    sequence(utcTime(new Date(now - DAY_MS)), utcTime(new Date(now + 90 * DAY_MS))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(sequence(objectId(SUBJECT_ALT_NAME), altNames))),
  )
  const der = sequence(toBeSigned, algorithm, bitString(sign('sha256', toBeSigned, privateKey)))
  const certificate = new X509Certificate(der)
  return {
    cert: certificate.toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    fingerprint: certificate.fingerprint256,
  }
}

function altName(host: string): Buffer {
  if (isIP(host) === 0) return tagged(DNS_NAME, Buffer.from(host))
  return tagged(IP_ADDRESS, isIPv6(host) ? bytesOfIpv6(host) : Buffer.from(host.split('.').map(Number)))
}

function bytesOfIpv6(address: string): Buffer {
  const [before = '', after = ''] = address.split('::')
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const head = groups(before)
  const tail = groups(after)
  const all = [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]))
}
