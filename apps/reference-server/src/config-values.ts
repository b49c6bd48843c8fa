import { readFileSync, statSync } from 'node:fs'
import { BlockList } from 'node:net'
import { splitList } from '@svc/negotiate/headers'
import { parseRate, type RateText } from '@svc/ratelimit'
import type { Deprecation } from './engine/versions.ts'

// Each reader takes the text of a variable and throws an Error that says what it must be.

export function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error('must be 0-65535')
  return Number(text)
}

export function host(text: string): string {
  if (!/^[A-Za-z0-9.:_-]{1,253}$/.test(text)) throw new Error('must be a host name or an address')
  return text
}

export function text(value: string): string {
  return value
}

/** `on` or `off`, in the usual spellings. */
export function toggle(value: string): boolean {
  if (/^(?:on|true|yes|1)$/i.test(value)) return true
  if (/^(?:off|false|no|0)$/i.test(value)) return false
  throw new Error('must be on or off')
}

/** A rate such as `600/1m`; `off` is none. */
export function rate(value: string): RateText | undefined {
  if (value === 'off') return undefined
  try {
    parseRate(value as RateText)
  } catch {
    throw new Error('must be a rate such as 600/1m, or off')
  }
  return value as RateText
}

export function parseWord<const W extends string>(...words: readonly W[]): (value: string) => W {
  return (value) => {
    const match = words.find((word) => word === value.toLowerCase())
    if (match === undefined) throw new Error(`must be ${words.join(' or ')}`)
    return match
  }
}

export function url(...schemes: readonly string[]): (value: string) => string {
  return (value) => {
    const parsed = URL.parse(value)
    if (!parsed || !schemes.includes(parsed.protocol.slice(0, -1)))
      throw new Error(`must be a URL that starts with ${schemes[0]}://`)
    return value
  }
}

/** Public URL of the service: http(s), without query or fragment. A trailing slash is dropped. */
export function publicUrl(value: string): string {
  const parsed = URL.parse(value)
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.search !== '' || parsed.hash !== '')
    throw new Error('must be an http(s) URL without query')
  return value.replace(/\/+$/, '')
}

const PATH = /^(?:\/(?!\.{0,2}(?:\/|$))[A-Za-z0-9._~-]+)+$/

/** New paths by the old ones, comma-separated: `/staff=/employees`. */
export function moves(value: string): ReadonlyMap<string, string> {
  const pairs = value.split(',').map((pair) => pair.trim().split('='))
  const moved = new Map<string, string>()
  for (const [from = '', to = '', ...more] of pairs) {
    if (!PATH.test(from) || !PATH.test(to) || more.length > 0)
      throw new Error('must be pairs of paths, such as /staff=/employees')
    moved.set(from, to)
  }
  const chained = [...moved.values()].find((to) => [...moved.keys()].some((from) => `${to}/`.startsWith(`${from}/`)))
  if (chained !== undefined) throw new Error(`${chained} has moved itself`)
  return moved
}

const MIN_MONTHS = 24

/** Deprecated API versions with Deprecation and Sunset dates: `1=2026-09-01/2028-12-01`. */
export function deprecations(versions: readonly string[]): (value: string) => ReadonlyMap<string, Deprecation> {
  return (value) => {
    const deprecated = new Map<string, Deprecation>()
    for (const entry of value.split(',')) {
      const [, name = '', since = '', sunset = ''] = /^\s*([^=]+)=([^/]+)\/(.+?)\s*$/.exec(entry) ?? []
      if (name === '') throw new Error('must be versions with two dates, such as 1=2026-09-01/2028-12-01')
      const version = versions.find((supported) => supported === name)
      if (version === undefined) throw new Error(`names version ${name}, ${suggest(name, versions)}`)
      if (deprecated.has(version)) throw new Error(`names version ${name} twice`)
      deprecated.set(version, lifecycle(parseDate(since), parseDate(sunset)))
    }
    return deprecated
  }
}

function suggest(name: string, versions: readonly string[]): string {
  const near = versions.find((version) => name.includes(version))
  return near === undefined ? `supported are ${versions.join(', ')}` : `did you mean ${near}?`
}

function parseDate(text: string): Date {
  const date = new Date(`${text}T00:00:00Z`)
  // Date accepts 2026-02-30 as a day in March.
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text)
    throw new Error(`${text} is not a date such as 2026-09-01`)
  return date
}

function lifecycle(since: Date, sunset: Date): Deprecation {
  const earliest = new Date(since)
  earliest.setUTCMonth(earliest.getUTCMonth() + MIN_MONTHS)
  if (sunset < earliest)
    throw new Error(
      `the sunset must be at least ${MIN_MONTHS} months after the deprecation: ${earliest.toISOString().slice(0, 10)}`,
    )
  return { since, sunset }
}

/** URL of the receiver of webhooks: https, or http on this host, without credentials. */
export function receiver(value: string): string {
  const parsed = URL.parse(value)
  const isLocal = parsed?.protocol === 'http:' && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(parsed.hostname)
  if (!parsed || (parsed.protocol !== 'https:' && !isLocal))
    throw new Error('must be an https URL, or http on loopback')
  if (parsed.username !== '' || parsed.password !== '') throw new Error('must not contain credentials')
  return value
}

/** Addresses and networks, comma-separated. */
export function networks(value: string): readonly string[] {
  const entries = splitList(value)
  for (const entry of entries) if (!isNetwork(entry)) throw new Error(`${entry} must be an address or a network (CIDR)`)
  return entries
}

function isNetwork(entry: string): boolean {
  const isV6 = entry.includes(':')
  const [address = '', prefix = isV6 ? '128' : '32'] = entry.split('/')
  try {
    new BlockList().addSubnet(address, Number(prefix), isV6 ? 'ipv6' : 'ipv4')
    return /^\d{1,3}$/.test(prefix)
  } catch {
    return false
  }
}

/** A password by the rules for users. */
export function password(value: string): string {
  if (value.length < 12 || value.length > 128) throw new Error('must have 12 to 128 characters')
  return value
}

/** A file that holds a password, and perhaps the end of its line. */
export function passwordFile(value: string): string {
  return password(readFileSync(file(value), 'utf8').replace(/\r?\n$/, ''))
}

export function file(value: string): string {
  if (!statSync(value, { throwIfNoEntry: false })?.isFile()) throw new Error('is not a file')
  return value
}

/** Public keys: a URL, or a file with a JWKS. */
export function jwks(value: string): string {
  if (/^https?:\/\//.test(value)) return value
  let keys: unknown
  try {
    keys = JSON.parse(readFileSync(value, 'utf8')).keys
  } catch {}
  if (!Array.isArray(keys)) throw new Error('must be a URL or a file with a JWKS')
  return value
}

export function privateJwk(value: string): string {
  let key: unknown
  try {
    key = JSON.parse(value)
  } catch {}
  const { kty, crv, d } = (key ?? {}) as Record<string, unknown>
  if (kty !== 'EC' || crv !== 'P-256' || typeof d !== 'string') throw new Error('must be a private P-256 key as JWK')
  return value
}

/** Secret that signs webhooks (Standard Webhooks): `whsec_` and 24 to 64 bytes in base64. */
export function signingSecret(text: string): Buffer {
  const base64 = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1]
  const secret = Buffer.from(base64 ?? '', 'base64')
  if (secret.length < 24 || secret.length > 64) throw new Error('must be whsec_ and 24 to 64 bytes in base64')
  return secret
}
