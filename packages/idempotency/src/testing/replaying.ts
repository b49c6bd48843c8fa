import { idempotencyEngine } from '@svc/idempotency'

// A process that stores a key, replays it twice, and rejects it once.
const engine = idempotencyEngine()
const input = { scope: 'ada', key: 'secret-key', fingerprint: 'f' }
const begun = await engine.begin(input)
if (begun.outcome === 'new') await begun.lease.complete({ status: 201, headers: [], body: Buffer.from('paid') })
await engine.begin(input)
await engine.begin(input)
await engine.begin({ ...input, fingerprint: 'other' })
