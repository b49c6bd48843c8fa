import { type IdempotencyStore, idempotency, memoryStore } from '@svc/idempotency'
import type { Responses } from '../responses.ts'

const store = memoryStore()
const busy: IdempotencyStore = { ...memoryStore(), acquire: () => ({ outcome: 'busy', leaseLeftMs: 20_000 }) }
const away: IdempotencyStore = { ...memoryStore(), acquire: () => Promise.reject(new Error('away')) }
const options = { required: true, maxBodyBytes: 100, docsUrl: 'https://api.example/keys' }
const keyed: Record<string, ReturnType<typeof idempotency>> = {
  '/': idempotency({ ...options, store }),
  '/busy': idempotency({ ...options, store: busy }),
  '/away': idempotency({ ...options, store: away }),
}

const payment = { method: 'POST', headers: { 'content-type': 'application/json' } }
const withKey = (key: string) => ({ ...payment, headers: { ...payment.headers, 'idempotency-key': key } })

export const responses: Responses = {
  middlewares: [(req, res, next) => keyed[req.url ?? '']?.(req, res, next)],
  handler: (_req, res) => {
    res.writeHead(201, { Location: '/payments/1', 'Content-Type': 'application/json' })
    res.end('{"id":1}')
  },
  cases: [
    { name: '201', ...withKey('"a"'), body: '{}' },
    { name: '201 replayed', ...withKey('"a"'), body: '{}' },
    { name: '422 another request', ...withKey('"a"'), body: '{"b":1}' },
    { name: '400 without a key', ...payment, body: '{}' },
    { name: '400 malformed key', ...withKey('"'), body: '{}' },
    { name: '413', ...withKey('"c"'), body: `"${'x'.repeat(200)}"` },
    { name: '409 in progress', path: '/busy', ...withKey('"d"'), body: '{}' },
    { name: '503 store away', path: '/away', ...withKey('"e"'), body: '{}' },
  ],
}
