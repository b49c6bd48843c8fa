import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { RequestState } from '../engine/request-state.ts'
import { checkHost, type HostOptions, leave } from './edge.ts'

const LOCAL: HostOptions = { host: '127.0.0.1', publicUrl: '', trustProxy: [] }
const PUBLIC = { ...LOCAL, publicUrl: 'https://Service.example/api' }

interface Fields {
  peer?: string
  forwarded?: string
}

function statusFor(rules: HostOptions, host: string | undefined, { peer, forwarded }: Fields = {}): number {
  const headers = { ...(host !== undefined && { host }), ...(forwarded && { 'x-forwarded-host': forwarded }) }
  const req = { headers, socket: { remoteAddress: peer ?? '127.0.0.1' } } as unknown as IncomingMessage
  return checkHost(rules)(req) ? 200 : 421
}

test.each([
  [LOCAL, 'localhost:3000', 200],
  [LOCAL, 'LOCALHOST', 200],
  [LOCAL, 'svc.localhost:3000', 200],
  [LOCAL, '127.0.0.1:3000', 200],
  [LOCAL, '[::1]:3000', 200],
  [LOCAL, '[::1]', 200],
  [LOCAL, undefined, 200],
  [LOCAL, 'attacker.example', 421],
  [LOCAL, 'attacker.example:3000', 421],
  [LOCAL, 'localhost.attacker.example', 421],
  [LOCAL, '127.0.0.1.attacker.example', 421],
  [LOCAL, 'attacker-localhost', 421],
  [LOCAL, 'service.example', 421],
  [{ ...LOCAL, host: 'localhost' }, 'attacker.example', 421],
  [{ ...LOCAL, host: '::1' }, 'attacker.example', 421],
  [PUBLIC, 'service.example', 200],
  [PUBLIC, 'service.example:443', 200],
  [PUBLIC, 'other.example', 421],
  [{ ...LOCAL, trustProxy: ['127.0.0.0/8'] }, 'anything.example', 421],
  [{ ...LOCAL, host: '0.0.0.0' }, 'anything.example', 200],
])('%o answers for %s with %i', (rules, host, status) => {
  expect(statusFor(rules, host)).toBe(status)
})

const PROXIED = { host: '0.0.0.0', publicUrl: 'https://service.example', trustProxy: ['10.0.0.0/8'] }
const LOCAL_PROXY = { ...PROXIED, host: '127.0.0.1', trustProxy: ['127.0.0.0/8'] }
const PROXY = '10.1.2.3'

test.each<[HostOptions, string, Fields, number]>([
  [PROXIED, 'service.example', { peer: PROXY }, 200],
  [PROXIED, 'attacker.example', { peer: PROXY }, 421],
  [PROXIED, 'attacker.example', { peer: `::ffff:${PROXY}` }, 421],
  [PROXIED, 'localhost', { peer: PROXY, forwarded: 'service.example' }, 200],
  [PROXIED, 'localhost', { peer: PROXY, forwarded: 'service.example:443, localhost' }, 200],
  [PROXIED, 'localhost', { peer: PROXY, forwarded: 'attacker.example' }, 421],
  [PROXIED, 'service.example', { peer: PROXY, forwarded: 'attacker.example, service.example' }, 421],
  // Forwarded names of untrusted peers are ignored, and names inside the network are accepted.
  [PROXIED, 'svc.internal', { peer: '192.0.2.1' }, 200],
  [PROXIED, 'svc.internal', { peer: '192.0.2.1', forwarded: 'attacker.example' }, 200],
  [LOCAL_PROXY, 'service.example', {}, 200],
  [LOCAL_PROXY, '127.0.0.1:3000', { forwarded: 'service.example' }, 200],
  [LOCAL_PROXY, '127.0.0.1:3000', { forwarded: 'attacker.example' }, 421],
  [LOCAL_PROXY, 'attacker.example', {}, 421],
  [LOCAL_PROXY, 'attacker.example', { forwarded: 'service.example' }, 421],
])('behind a proxy, %o answers for %s with %o by %i', (rules, host, fields, status) => {
  expect(statusFor(rules, host, fields)).toBe(status)
})

describe('requests in flight', () => {
  const response = (): ServerResponse => ({}) as ServerResponse
  const over = (inFlight: ServerResponse[], res: unknown): void => leave({ inFlight })({ res } as RequestState)

  test('are counted until they are over, whatever their order', () => {
    const responses = Array.from({ length: 5 }, response)
    const inFlight = [...responses]
    for (const index of [2, 0, 4]) over(inFlight, responses[index])
    expect(inFlight).toHaveLength(2)
    expect(new Set(inFlight)).toEqual(new Set([responses[1], responses[3]]))
    expect(inFlight.every((res) => res === responses[1] || res === responses[3])).toBe(true)
  })

  test('are over once', () => {
    const [first, second] = [response(), response()]
    const inFlight = [first, second]
    over(inFlight, first)
    over(inFlight, first)
    expect(inFlight).toHaveLength(1)
    expect(inFlight[0]).toBe(second)
  })
})
