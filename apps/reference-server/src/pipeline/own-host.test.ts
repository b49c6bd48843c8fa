import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { type OwnHostRules, ownHost } from './own-host.ts'

const LOCAL: OwnHostRules = { host: '127.0.0.1', publicUrl: '', trustProxy: [] }
const PUBLIC = { ...LOCAL, publicUrl: 'https://Service.example/api' }

function statusFor(rules: OwnHostRules, host: string | undefined): unknown {
  let status: unknown = 200
  const req = { headers: host === undefined ? {} : { host } } as IncomingMessage
  ownHost(rules)(req, {} as ServerResponse, (error) => {
    if (error !== undefined) status = (error as { status: number }).status
  })
  return status
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
  [{ ...LOCAL, trustProxy: ['loopback'] }, 'anything.example', 200],
  [{ ...LOCAL, host: '0.0.0.0' }, 'anything.example', 200],
])('%o answers for %s with %i', (rules, host, status) => {
  expect(statusFor(rules, host)).toBe(status)
})
