import { memoryStore, rateLimit } from '@svc/ratelimit'
import type { Responses } from '../responses.ts'

const now = (): number => 1_790_000_000_000
const store = memoryStore({ now })
const down = new Error('away')
const broken = { consume: () => Promise.reject(down), adjust: () => [], block: () => {}, reset: () => {} }

const limiters: Record<string, ReturnType<typeof rateLimit>> = {
  '/': rateLimit({ rate: '2/m', store, now }),
  '/draft-11': rateLimit({ rate: '2/m', store, now, headers: 'draft-11', partitionSalt: 'a secret', group: '11' }),
  '/draft-8': rateLimit({ rate: '2/m', store, now, headers: ['x-ratelimit', 'draft-8'], group: '8' }),
  '/draft-7': rateLimit({ rate: '2/m', store, now, headers: 'draft-7', group: '7' }),
  '/draft-6': rateLimit({ rate: '2/m', store, now, headers: 'draft-6', group: '6' }),
  '/denied': rateLimit({ rate: '2/m', denyList: ['127.0.0.0/8'], group: 'denied' }),
  '/down': rateLimit({ rate: '2/m', store: broken, onStoreError: 'reject', group: 'down', warnings: false }),
}

export const responses: Responses = {
  middlewares: [(req, res, next) => limiters[req.url ?? '']?.(req, res, next), (_req, res) => res.end()],
  cases: [
    { name: '200' },
    ...[11, 8, 7, 6].map((draft) => ({ name: `200 draft ${draft}` as const, path: `/draft-${draft}` })),
    { name: '200 last' },
    { name: '429' },
    { name: '403 denied', path: '/denied' },
    { name: '503 store away', path: '/down' },
  ],
}
