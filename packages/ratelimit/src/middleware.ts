import { fact } from '../../internal/fact.ts'
import { guard } from '../../internal/guard.ts'
import type { IncomingMessage, Middleware, ServerResponse } from '../../internal/middleware.ts'
import { refuseUnknown } from '../../internal/options.ts'
import { refuse } from '../../internal/refuse.ts'
import { addressOf, subnetOf } from './client.ts'
import { decisionOf, type RateLimitDecision } from './decision.ts'
import { writeX } from './fields.ts'
import { defineLimits } from './limits.ts'
import type { Client, LimitOptions, RateLimitOptions } from './options.ts'
import { defineTrust } from './proxies.ts'
import type { RateText } from './rate.ts'
import { exceeded } from './refusal.ts'
import { after, type Soon, together } from './soon.ts'
import type { Charge } from './store.ts'
import { memoryStore } from './stores/memory.ts'

export interface RateLimiter extends Middleware {}

const decisionFact = fact<RateLimitDecision>('ratelimit')

/** What the limiter decided about a request; `undefined` where none has counted it. */
export function rateLimitOf(req: object): RateLimitDecision | undefined {
  return decisionFact.get(req)
}

const OPTIONS = [
  'limits',
  'name',
  'rate',
  'burst',
  'algorithm',
  'by',
  'key',
  'principal',
  'cost',
  'skip',
  'store',
  'trustProxy',
  'ipv6Prefix',
  'group',
  'onRefused',
  'onDecision',
  'now',
]

/** Limits requests: `ratelimit('100/15m')`. */
export function ratelimit<Req extends IncomingMessage = IncomingMessage>(
  rate: RateText | RateLimitOptions<Req>,
): RateLimiter {
  const options: RateLimitOptions<Req> = typeof rate === 'string' ? { rate } : rate
  refuseUnknown('ratelimit', options, OPTIONS)
  const now = options.now ?? Date.now
  const group = options.group ?? 'default'
  const limits = defineLimits<Req>(
    options.limits ?? [options as LimitOptions<Req>].map(only),
    group,
    options.key ?? 'client',
  )
  const store = options.store ?? memoryStore(options.now ? { now: options.now } : {})
  const trust = options.trustProxy === undefined ? undefined : defineTrust(options.trustProxy)
  const prefix = options.ipv6Prefix ?? 64
  const { cost = 1, principal, skip, onRefused, onDecision } = options

  const clientOf = (req: Req): Soon<Client> => {
    const address = addressOf(req, trust)
    return after(principal?.(req), (name) => ({ address, subnet: subnetOf(address, prefix), principal: name }))
  }
  const chargesOf = (req: Req, client: Client): Soon<Charge[]> =>
    after(typeof cost === 'function' ? cost(req, client) : cost, (units) =>
      after(
        together(
          limits.map(({ keyOf, policyOf }) =>
            after(keyOf(req, client), (key) =>
              key === undefined
                ? undefined
                : after(
                    policyOf(key, req),
                    (policy) => policy && { policy, key, cost: Math.min(units, policy.burst), slot: key },
                  ),
            ),
          ),
        ),
        (charges) => charges.filter((charge) => charge !== undefined),
      ),
    )
  const decide = (req: Req): Soon<RateLimitDecision | undefined> =>
    after(clientOf(req), (client) =>
      after(skip?.(req, client) ?? false, (skipped) =>
        skipped
          ? undefined
          : after(chargesOf(req, client), (charges) =>
              charges.length === 0
                ? undefined
                : after(store.consume(charges), (outcomes) => decisionOf(charges, outcomes, 'store')),
            ),
      ),
    )

  return (req: IncomingMessage, res: ServerResponse, next) =>
    guard(
      () => decide(req as Req),
      (decision) => {
        if (!decision) return next()
        decisionFact.set(req, decision)
        writeX(res, decision, now())
        onDecision?.(decision, req as Req, res)
        if (decision.allowed) next()
        else refuse(exceeded(decision), req, res, next, onRefused)
      },
      next,
    )
}

function only<Req>({ name, rate, burst, algorithm, by }: LimitOptions<Req>): LimitOptions<Req> {
  return {
    rate,
    ...(name !== undefined && { name }),
    ...(burst !== undefined && { burst }),
    ...(algorithm !== undefined && { algorithm }),
    ...(by !== undefined && { by }),
  }
}
