import { callSafely } from '../../internal/guard.ts'
import { all, chain, type MaybePromise } from '../../internal/maybe-promise.ts'
import { requestFact } from '../../internal/request-fact.ts'
import type { ConsumeReceipt } from './consume-receipt.ts'
import { isCountedBy, joinDecisions, type RateLimitDecision, toDecision } from './decision.ts'
import type { Diagnose } from './diagnose.ts'
import type { HeaderValues } from './headers.ts'
import { checkCost } from './limiter.ts'
import { createCharge } from './limits.ts'
import type { Client } from './options.ts'
import type { Settings } from './settings.ts'
import type { Charge } from './store.ts'

/** A request that was counted. */
export interface Evaluation {
  decision: RateLimitDecision
  receipt: ConsumeReceipt
  /** Rate limit headers for the response, those of earlier limiters of the request included. */
  headers: HeaderValues
}

interface RequestLimits {
  decision: RateLimitDecision
  /** What limiters of this request have asked to be sent so far. */
  headers: HeaderValues
}

const requestLimits = requestFact<RequestLimits>('ratelimit')

/**
 * Returns the decision about a request; if several limiters counted it, the decision that is closest to rejecting, with
 * the limits of all. `undefined` if no limiter counted the request.
 */
export function rateLimitOf(req: object): RateLimitDecision | undefined {
  return requestLimits.get(req)?.decision
}

/** Counts a request, unless it is skipped or on a list, and tells everyone who listens. */
export function evaluate<Req extends object, Res>(
  settings: Settings<Req, Res>,
  req: Req,
): MaybePromise<Evaluation | 'passed' | 'denied'> {
  return chain(consume(settings, req), (receipt) =>
    typeof receipt === 'string' ? receipt : announce(settings, receipt, req),
  )
}

function consume<Req extends object, Res>(
  settings: Settings<Req, Res>,
  req: Req,
): MaybePromise<ConsumeReceipt | 'passed' | 'denied'> {
  const { locate, isAllowed, isDenied, user, skip, counter, storeErrorFor } = settings
  const { ip, subnet } = locate(req)
  if (isDenied?.(ip)) return 'denied'
  if (isAllowed?.(ip)) return 'passed'
  return chain(user?.(req), (name) => {
    const client: Client = { ip, subnet, user: name }
    return chain(skip?.(req, client) ?? false, (skipped) => {
      if (skipped) return 'passed'
      return chain(createCharges(settings, req, client), (charges) =>
        charges.length === 0 ? 'passed' : counter.store.consume(charges, storeErrorFor?.(req)),
      )
    })
  })
}

function createCharges<Req extends object, Res>(
  { counter, cost }: Settings<Req, Res>,
  req: Req,
  client: Client,
): MaybePromise<readonly Charge[]> {
  return chain(typeof cost === 'function' ? cost(req, client) : cost, (value) => {
    const units = checkCost(value)
    const charges = counter.limits.map((limit) =>
      chain(limit.createKey(req, client), (key) =>
        key === undefined ? undefined : createCharge(limit, key, units, req),
      ),
    )
    return chain(all(charges), (list) => list.filter((charge) => charge !== undefined))
  })
}

function announce<Req extends object, Res>(
  settings: Settings<Req, Res>,
  receipt: ConsumeReceipt,
  req: Req,
): Evaluation {
  const { diagnose, begin, headersFor, isPreflight, onDecision, reportOnly } = settings
  const decision = toDecision(receipt, reportOnly)
  begin()
  const earlier = requestLimits.get(req)
  if (earlier && isCountedBy(earlier.decision, receipt.by)) warnDoubleCount(diagnose)
  const { joined, isTighter } = joinDecisions(earlier?.decision, decision)
  // What this process counts on its own, while the store is down, would contradict earlier responses.
  const isSilent = decision.source !== 'store' || isPreflight(req)
  const headers = isSilent
    ? (earlier?.headers ?? {})
    : { ...earlier?.headers, ...headersFor(decision, isTighter, earlier?.headers) }
  requestLimits.set(req, { decision: joined, headers })
  diagnose.decided({ decision, req })
  if (onDecision) callSafely<unknown>(() => onDecision(decision, req), ignore, diagnose.hookFailed)
  return { decision, receipt, headers }
}

function warnDoubleCount(diagnose: Diagnose): void {
  diagnose.warnOnce(
    'WRN_RATELIMIT_DOUBLE_COUNT',
    'A limiter has counted a request twice: it is mounted twice, such as on an app and on its router. Mount it once, or create two limiters.',
  )
}

function ignore(): void {}
