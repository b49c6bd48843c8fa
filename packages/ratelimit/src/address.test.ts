import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { clientIp, ipKey } from '@svc/ratelimit'
import { array, assert, constantFrom, integer, ipV4, ipV6, oneof, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatAddress, parseAddress } from './address.ts'
import { compileTrust, resolveClient } from './proxies.ts'

interface Vectors {
  ips: [text: string, key: string | null][]
  proxy: [remote: string, forwarded: string | null, trusted: string[], client: string][]
}

const vectors: Vectors = JSON.parse(readFileSync(new URL('../vectors/addresses.json', import.meta.url), 'utf8'))

describe('ipKey', () => {
  test.each(vectors.ips)('counts %s by %s', (text, key) => {
    expect(ipKey(text)).toBe(key ?? undefined)
  })

  test.each([
    { text: '2001:db8:1:2ff::1', prefix: 56, key: '2001:db8:1:200::/56' },
    { text: '2001:db8:1:2::1', prefix: 48, key: '2001:db8:1::/48' },
    { text: '2001:db8:1:2::1', prefix: 128, key: '2001:db8:1:2::1/128' },
    { text: '203.0.113.7', prefix: 32, key: '203.0.113.7' },
    { text: '203.0.113.7:4711', prefix: 64, key: '203.0.113.7' },
    { text: '[2001:db8:1:2::9]:443', prefix: 64, key: '2001:db8:1:2::/64' },
    { text: '[::ffff:203.0.113.7]:443', prefix: 64, key: '203.0.113.7' },
    { text: ' 203.0.113.7 ', prefix: 64, key: '203.0.113.7' },
  ])('counts $text at /$prefix by $key', ({ text, prefix, key }) => {
    expect(ipKey(text, prefix)).toBe(key)
  })

  test.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    '1.2.3.4:',
    ':::',
    '1::2::3',
    '12345::',
    'g::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '[::1',
    '::1.2.3',
    '__proto__',
    '١.١.١.١',
    '1.2.3.4:5:6',
    `::${'0'.repeat(10_000)}`,
  ])('rejects %j', (text) => {
    const withPort = text === '1.2.3.4:'
    expect(ipKey(text)).toBe(withPort ? '1.2.3.4' : undefined)
  })

  test('accepts the same addresses as node:net, and never throws', () => {
    const alphabet = constantFrom(...'0123456789abcdef:.%[] ')
    assert(
      property(oneof(ipV4(), ipV6(), string(), string({ unit: alphabet })), (text) => {
        const isPlain = !/[[\]% ]|^[\d.]*:|\.\d+:\d*$/.test(text) || /^[\da-f:]+$/i.test(text)
        const parsed = parseAddress(text)
        if (isPlain) expect(parsed !== undefined).toBe(isIP(text) !== 0)
        if (parsed) expect(parseAddress(formatAddress(parsed))).toEqual(parsed)
      }),
      { numRuns: 2000 },
    )
  })

  test('formats addresses as the URL standard does', () => {
    assert(
      property(array(constantFrom(0, 0, 0, 1, 0xabcd), { minLength: 8, maxLength: 8 }), (groups) => {
        const text = formatAddress(groups)
        if (text.includes(':')) expect(text).toBe(new URL(`http://[${text}]`).hostname.slice(1, -1))
      }),
    )
  })
})

describe('resolveClient', () => {
  // An invalid address ends the walk at the last valid hop. The vector expects the entry itself.
  const rows = vectors.proxy.map(([remote, forwarded, trusted, client]) => ({
    remote,
    forwarded: forwarded ?? undefined,
    trusted: trusted.map((start) => `${start}0.0.0/8`),
    client: client === 'garbage' ? remote : client,
  }))
  test.each([
    ...rows,
    { remote: '::ffff:10.0.0.2', forwarded: '203.0.113.7', trusted: ['10.0.0.0/8'], client: '203.0.113.7' },
    { remote: '10.0.0.2', forwarded: '203.0.113.7:5544', trusted: ['10.0.0.0/8'], client: '203.0.113.7' },
    { remote: '10.0.0.2', forwarded: '203.0.113.7, , 10.0.0.3', trusted: ['10.0.0.0/8'], client: '10.0.0.3' },
    { remote: 'fd00::1', forwarded: '2001:db8::9', trusted: ['fd00::/8'], client: '2001:db8::9' },
    { remote: '10.0.0.2', forwarded: '', trusted: ['10.0.0.0/8'], client: '10.0.0.2' },
    { remote: '10.0.0.2', forwarded: '1.1.1.1, 203.0.113.7', trusted: ['10.0.0.2'], client: '203.0.113.7' },
  ])('resolves $remote with $forwarded and trust in $trusted to $client', ({ remote, forwarded, trusted, client }) => {
    expect(resolveClient(remote, forwarded, compileTrust(trusted))).toBe(client)
  })

  test.each([
    { hops: 0, client: '10.0.0.2' },
    { hops: 1, client: '10.0.0.5' },
    { hops: 2, client: '203.0.113.7' },
    { hops: 9, client: '6.6.6.6' },
  ])('trusts $hops hops, which resolve to $client', ({ hops, client }) => {
    expect(resolveClient('10.0.0.2', '6.6.6.6, 203.0.113.7, 10.0.0.5', compileTrust(hops))).toBe(client)
  })

  test('never returns an address from the left of the last trusted hop', () => {
    assert(
      property(string(), integer({ min: 1, max: 254 }), (written, last) => {
        const forwarded = `${written}, 203.0.113.${last}`
        expect(resolveClient('10.0.0.2', forwarded, compileTrust(['10.0.0.0/8']))).toBe(`203.0.113.${last}`)
      }),
    )
  })

  test.each([true, 'loopback', -1, 1.5, 33, ['10.0.0.0/33'], ['x'], ['10.0.0.0/'], ['::/129'], [1]])(
    'rejects the proxies %j',
    (trust) => {
      expect(() => compileTrust(trust as never)).toThrow(/^ratelimit: trustProxy must/)
    },
  )
})

test('clientIp follows the setting of the Express app by default', () => {
  const settings = new Map<string, unknown>([
    ['trust proxy', 1],
    ['trust proxy fn', (_address: string, hop: number) => hop < 1],
  ])
  const app = { get: (name: string) => settings.get(name) }
  const req = { socket: { remoteAddress: '10.0.0.2' }, headers: { 'x-forwarded-for': '6.6.6.6, 203.0.113.7' } }
  expect(clientIp(req as unknown as IncomingMessage)).toBe('10.0.0.2')
  expect(clientIp({ ...req, app } as unknown as IncomingMessage)).toBe('203.0.113.7')
  expect(clientIp({ ...req, app } as unknown as IncomingMessage, 2)).toBe('6.6.6.6')
})
