import { fact } from '../../internal/fact.ts'
import type { Failure } from '../../internal/failure.ts'
import { guard } from '../../internal/guard.ts'
import { type IncomingMessage, type Middleware, targetOf } from '../../internal/middleware.ts'
import { type OnRefused, refuse } from '../../internal/refuse.ts'
import { peekBody } from './body.ts'
import { capture } from './capture.ts'
import type { Awaitable } from './chain.ts'
import { type Begun, idempotency } from './engine.ts'
import { STORED_FIELDS } from './fields.ts'
import { fingerprintOf } from './fingerprint.ts'
import { isKept } from './keep.ts'
import { readKey } from './key.ts'
import type { Lease } from './lease.ts'
import type { EngineOptions } from './options.ts'
import { keyInvalid, keyMissing, unscoped } from './refusals.ts'
import { replay } from './replay.ts'
import { scopeOf } from './scope.ts'

export interface IdempotentOptions extends EngineOptions {
  /** Whether a request without a key is refused. @defaultValue false */
  required?: boolean
  /** Methods that are looked at. @defaultValue ['POST', 'PATCH'] */
  methods?: readonly string[]
  scope?: (req: IncomingMessage) => Awaitable<string | undefined>
  onRefused?: OnRefused
}

/** What a handler learns and decides about its key. */
export interface IdempotencyFact {
  readonly key: string
  readonly generation: number
  readonly replayed: boolean
  checkpoint<T>(name: string, take: () => Awaitable<T>): Promise<T>
  commit(): void
  release(): void
}

const facts = fact<IdempotencyFact>('idempotency')

/** What is known about the key of a request; `undefined` where it has none, or the route does not look. */
export function idempotencyOf(req: object): IdempotencyFact | undefined {
  return facts.get(req)
}

/** Makes a retried request harmless: its handler runs once, and every retry gets the first answer. */
export function idempotent(options: IdempotentOptions = {}): Middleware {
  const { required = false, methods = ['POST', 'PATCH'], scope = scopeOf, onRefused, ...engineOptions } = options
  const engine = idempotency(engineOptions)
  return (req, res, next) => {
    if (!methods.includes(req.method ?? '')) return next()
    const refused = (error: Failure): void => refuse(error, req, res, next, onRefused)
    const field = req.headers['idempotency-key']
    if (field === undefined) return required ? refused(keyMissing('Idempotency-Key', undefined)) : next()
    const key = typeof field === 'string' ? readKey(field) : undefined
    if (key === undefined) return refused(keyInvalid('Idempotency-Key'))
    const proceed = (begun: Begun): void => {
      if (begun.outcome === 'refused') return refused(begun.failure)
      if (begun.outcome === 'replay') return replay(res, begun.response, 'Idempotent-Replayed')
      run(begun.lease)
    }
    const run = (lease: Lease): void => {
      let forced: boolean | undefined
      facts.set(req, {
        key,
        generation: lease.generation,
        replayed: false,
        checkpoint: lease.checkpoint,
        commit: () => void (forced = true),
        release: () => void (forced = false),
      })
      capture(req, res, { fields: STORED_FIELDS, maxResponseBytes: 1024 * 1024 }, (response) =>
        (forced ?? isKept(response.status)) ? lease.complete(response) : lease.release(),
      )
      next()
    }
    guard(
      () => scope(req),
      (principal) => {
        if (principal === undefined) return refused(unscoped())
        peekBody(req, 1024 * 1024, (error, body) => {
          if (error) return refused(error)
          const { method = '', headers } = req
          const fingerprint = fingerprintOf({
            method,
            target: targetOf(req),
            contentType: headers['content-type'],
            body,
          })
          guard(() => engine.begin({ scope: principal, key, fingerprint }), proceed, next)
        })
      },
      next,
    )
  }
}
