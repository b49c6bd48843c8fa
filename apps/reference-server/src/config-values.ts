import { createPrivateKey } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { BlockList } from 'node:net'
import { splitList } from '@svc/negotiate/headers'
import { parseRate, type RateText } from '@svc/ratelimit'
import { createLocalJWKSet } from 'jose'
import type { Deprecation } from './engine/versions.ts'

// Each reader takes the text of a variable and throws an Error that says what it must be.

function requireThat<T>(isValid: boolean, problem: string, value: T): T {
  if (!isValid) throw new Error(problem)
  return value
}

/** Returns the result of a computation, or `undefined` if it throws. */
function attempt<T>(compute: () => T): T | undefined {
  try {
    return compute()
  } catch {
    return undefined
  }
}

export function port(text: string): number {
  return requireThat(/^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'must be 0-65535', Number(text))
}

export function host(text: string): string {
  return requireThat(/^[A-Za-z0-9.:_-]{1,253}$/.test(text), 'must be a host name or an address', text)
}

export const text = String

/** `on` or `off`, in the usual spellings. */
export function toggle(value: string): boolean {
  const isOn = /^(?:on|true|yes|1)$/i.test(value)
  return requireThat(isOn || /^(?:off|false|no|0)$/i.test(value), 'must be on or off', isOn)
}

/** A rate such as `600/1m`; `off` is none. */
export function rate(value: string): RateText | undefined {
  if (value === 'off') return undefined
  const text = value as RateText
  return requireThat(attempt(() => parseRate(text)) !== undefined, 'must be a rate such as 600/1m, or off', text)
}

export function word<const W extends string>(...words: readonly W[]): (value: string) => W {
  return (value) => {
    const match = words.find((word) => word === value.toLowerCase())
    if (match === undefined) throw new Error(`must be ${words.join(' or ')}`)
    return match
  }
}

export function url(...schemes: readonly string[]): (value: string) => string {
  const problem = `must be a URL that starts with ${schemes[0]}://`
  return (value) => requireThat(schemes.includes(URL.parse(value)?.protocol.slice(0, -1) ?? ''), problem, value)
}

/** Public URL of the service: http(s), without query or fragment. Trailing slashes are dropped. */
export function publicUrl(value: string): string {
  const { protocol = '', href = '' } = URL.parse(value) ?? {}
  const isValid = /^https?:$/.test(protocol) && !/[?#]/.test(value)
  requireThat(isValid, 'must be an http(s) URL without query', value)
  return withoutCredentials(href).replace(/\/+$/, '')
}

function withoutCredentials(value: string): string {
  const { username = '', password = '' } = URL.parse(value) ?? {}
  return requireThat(username + password === '', 'must not contain credentials', value)
}

const PATH = /^(?:\/(?!\.{0,2}(?:\/|$))[A-Za-z0-9._~-]+)+$/

/** New paths by the old ones, comma-separated: `/staff=/employees`. */
export function moves(value: string): ReadonlyMap<string, string> {
  const moved = new Map<string, string>()
  for (const pair of value.split(',')) {
    const [from = '', to = '', ...more] = pair.trim().split('=')
    const isPair = PATH.test(from) && PATH.test(to) && more.length === 0
    moved.set(from, requireThat(isPair, 'must be pairs of paths, such as /staff=/employees', to))
  }
  const chained = [...moved.values()].find((to) => [...moved.keys()].some((from) => `${to}/`.startsWith(`${from}/`)))
  return requireThat(chained === undefined, `${chained} has moved itself`, moved)
}

const MIN_MONTHS = 24

/** Deprecated API versions with Deprecation and Sunset dates: `1=2026-09-01/2028-12-01`. */
export function deprecations(versions: readonly string[]): (value: string) => ReadonlyMap<string, Deprecation> {
  return (value) => {
    const deprecated = new Map<string, Deprecation>()
    for (const entry of value.split(',')) {
      const [, name = '', from = '', to = ''] = /^\s*([^=]+)=([^/]+)\/(.+?)\s*$/.exec(entry) ?? []
      requireThat(name !== '', 'must be versions with two dates, such as 1=2026-09-01/2028-12-01', name)
      const near = versions.find((version) => name.includes(version))
      const hint = near === undefined ? `supported are ${versions.join(', ')}` : `did you mean ${near}?`
      requireThat(versions.includes(name), `names version ${name}, ${hint}`, name)
      requireThat(!deprecated.has(name), `names version ${name} twice`, name)
      const [since, sunset] = [parseDate(from), parseDate(to)]
      const earliest = new Date(since)
      earliest.setUTCMonth(earliest.getUTCMonth() + MIN_MONTHS)
      const problem = `the sunset must be at least ${MIN_MONTHS} months after the deprecation: ${formatDate(earliest)}`
      deprecated.set(name, requireThat(sunset >= earliest, problem, { since, sunset }))
    }
    return deprecated
  }
}

// Date accepts 2026-02-30 as a day in March.
function parseDate(text: string): Date {
  const date = new Date(`${text}T00:00:00Z`)
  return requireThat(attempt(() => formatDate(date)) === text, `${text} is not a date such as 2026-09-01`, date)
}

function formatDate(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/** URL of the receiver of webhooks: https, or http on this host, without credentials. */
export function receiver(value: string): string {
  const { protocol, hostname = '' } = URL.parse(value) ?? {}
  const isLocal = protocol === 'http:' && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  return withoutCredentials(
    requireThat(protocol === 'https:' || isLocal, 'must be an https URL, or http on loopback', value),
  )
}

/** Addresses and networks, comma-separated. */
export function networks(value: string): readonly string[] {
  return splitList(value).map((entry) => {
    const type = entry.includes(':') ? 'ipv6' : 'ipv4'
    const [address = '', prefix = type === 'ipv6' ? '128' : '32'] = entry.split('/')
    const isPrefix = /^\d{1,3}$/.test(prefix)
    const isNetwork =
      isPrefix && attempt(() => [new BlockList().addSubnet(address, Number(prefix), type)]) !== undefined
    return requireThat(isNetwork, `${entry} must be an address or a network (CIDR)`, entry)
  })
}

/** A password by the rules for users. */
export function password(value: string): string {
  return requireThat(value.length >= 12 && value.length <= 128, 'must have 12 to 128 characters', value)
}

/** A file that holds a password, and perhaps the end of its line. */
export function passwordFile(value: string): string {
  return password(readFileSync(file(value), 'utf8').replace(/\r?\n$/, ''))
}

export function file(value: string): string {
  return requireThat(statSync(value, { throwIfNoEntry: false })?.isFile() === true, 'is not a file', value)
}

/** Public keys: a URL, or a file with a JWKS. */
export function jwks(value: string): string {
  if (/^https?:\/\//.test(value)) return withoutCredentials(value)
  const keys = attempt(() => createLocalJWKSet(JSON.parse(readFileSync(value, 'utf8'))))
  return requireThat(keys !== undefined, 'must be a URL or a file with a JWKS', value)
}

export function privateJwk(value: string): string {
  const key = Object(attempt(() => JSON.parse(value)))
  const curve = attempt(() => createPrivateKey({ key, format: 'jwk' }).asymmetricKeyDetails?.namedCurve)
  const { use = 'sig', alg = 'ES256', key_ops: operations = ['sign'] } = key
  const isForSignatures = use === 'sig' && alg === 'ES256' && Array.isArray(operations) && operations.includes('sign')
  return requireThat(curve === 'prime256v1' && isForSignatures, 'must be a private P-256 key as JWK', value)
}

/** Secret that signs webhooks (Standard Webhooks): `whsec_` and 24 to 64 bytes in base64. */
export function signingSecret(text: string): Buffer {
  const secret = Buffer.from(/^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1] ?? '', 'base64')
  const hasLength = secret.length >= 24 && secret.length <= 64
  return requireThat(hasLength, 'must be whsec_ and 24 to 64 bytes in base64', secret)
}
