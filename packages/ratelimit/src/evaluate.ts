import { callSafely, isPromise } from '../../internal/guard.ts'
import { all, chain, type MaybePromise } from '../../internal/maybe-promise.ts'
import { inspectValue } from '../../internal/options.ts'
import { requestFact } from '../../internal/request-fact.ts'
import { isCountedBy, isMain, joinDecisions, type RateLimitDecision, toDecision } from './decision.ts'
import type { Diagnose } from './diagnose.ts'
import type { HeaderValues } from './headers.ts'
import { checkCost, createCharge, dropUndefined, type Limit, toCharge } from './limits.ts'
import type { Client } from './options.ts'
import type { ConsumeReceipt } from './receipt.ts'
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
  /** Headers of the limiters that have counted the request so far. */
  headers: HeaderValues
}

const LIMITS = Symbol.for('svc.ratelimit')
const requestLimits = requestFact<RequestLimits>(LIMITS)

interface Counted {
  [LIMITS]?: RequestLimits
}

const NONE: HeaderValues = {}

/**
 * Returns the decision about a request; if several limiters counted it, the decision that is
 * closest to rejecting, with the limits of all. `undefined` if no limiter counted the request.
 */
export function rateLimitOf(req: object): RateLimitDecision | undefined {
  return requestLimits.get(req)?.decision
}

/** Returns the headers of all limiters that have counted a request so far. */
export function getHeaders(req: object): HeaderValues {
  return requestLimits.get(req)?.headers ?? NONE
}

/**
 * Counts a request, unless it is skipped or on a list, and publishes the decision. It creates
 * closures only if a function of the options or the store returns a promise.
 */
export function evaluate<Req extends object, Res>(
  settings: Settings<Req, Res>,
  req: Req,
): MaybePromise<Evaluation | 'passed' | 'denied'> {
  const { locate, isAllowed, isDenied } = settings
  const { ip, subnet } = locate(req)
  if (isDenied?.(ip)) return 'denied'
  if (isAllowed?.(ip)) return 'passed'
  const user = settings.user?.(req)
  return isPromise(user)
    ? user.then((name) => countClient(settings, req, { ip, subnet, user: checkUser(name) }))
    : countClient(settings, req, { ip, subnet, user: checkUser(user) })
}

/** All clients whose user is an object would share a counter. JavaScript may return null or ids. */
function checkUser(user: unknown): string | undefined {
  if (typeof user === 'string' || user === undefined) return user
  if (user === null) return undefined
  if (typeof user === 'number') return String(user)
  throw new TypeError(`ratelimit: user must return a string or undefined, got ${inspectValue(user)}`)
}

function countClient<Req extends object, Res>(
  settings: Settings<Req, Res>,
  req: Req,
  client: Client,
): MaybePromise<Evaluation | 'passed'> {
  const isSkipped = settings.skip?.(req, client)
  if (isPromise(isSkipped))
    return isSkipped.then((isSkipped) => (isSkipped ? 'passed' : countUnits(settings, req, client)))
  return isSkipped ? 'passed' : countUnits(settings, req, client)
}

function countUnits<Req extends object, Res>(
  settings: Settings<Req, Res>,
  req: Req,
  client: Client,
): MaybePromise<Evaluation | 'passed'> {
  const { cost, counter } = settings
  const units = typeof cost === 'function' ? chain(cost(req, client), checkCost) : cost
  const charges = isPromise(units)
    ? units.then((later) => chargeClient(counter.limits, req, client, later))
    : chargeClient(counter.limits, req, client, units)
  return isPromise(charges)
    ? charges.then((later) => countCharges(settings, req, later))
    : countCharges(settings, req, charges)
}

function countCharges<Req extends object, Res>(
  settings: Settings<Req, Res>,
  req: Req,
  charges: readonly Charge[],
): MaybePromise<Evaluation | 'passed'> {
  if (charges.length === 0) return 'passed'
  const receipt = settings.counter.store.consume(charges, settings.storeErrorFor?.(req))
  return isPromise(receipt) ? receipt.then((later) => announce(settings, later, req)) : announce(settings, receipt, req)
}

/** Creates the charges of the limits that count the request. */
function chargeClient<Req>(
  limits: readonly Limit<Req>[],
  req: Req,
  client: Client,
  units: number,
): MaybePromise<readonly Charge[]> {
  const charges: MaybePromise<Charge | undefined>[] = []
  for (const limit of limits) {
    const key = limit.createKey(req, client)
    if (isPromise(key)) charges.push(key.then((later) => chargeKey(limit, later, units, req)))
    // Most limiters have one limit, with the same policy for all keys.
    else if (limits.length === 1 && limit.policy && key !== undefined)
      return [toCharge(limit, limit.policy, key, units)]
    else charges.push(chargeKey(limit, key, units, req))
  }
  return chain(all(charges), dropUndefined)
}

function chargeKey<Req>(
  limit: Limit<Req>,
  key: string | undefined,
  units: number,
  req: Req,
): MaybePromise<Charge | undefined> {
  return key === undefined ? undefined : createCharge(limit, key, units, req)
}

function announce<Req extends object, Res>(
  settings: Settings<Req, Res>,
  receipt: ConsumeReceipt,
  req: Req,
): Evaluation {
  const { diagnose, begin, headersFor, isPreflight, onDecision, reportOnly } = settings
  const decision = toDecision(receipt, reportOnly)
  begin()
  const counted: Counted = req
  const earlier = counted[LIMITS]
  if (earlier && isCountedBy(earlier.decision, receipt.by)) warnDoubleCount(diagnose)
  const isTighter = !earlier || isMain(decision, earlier.decision)
  // Counts of this process only, while the store is down, would contradict earlier responses.
  const isSilent = decision.source !== 'store' || isPreflight(req)
  const headers = isSilent ? (earlier?.headers ?? NONE) : headersFor(decision, isTighter, earlier?.headers)
  // Copies of a Fetch request share the object: an outer limiter sees what an inner one counts.
  if (earlier) Object.assign(earlier, { decision: joinDecisions(earlier.decision, decision, isTighter), headers })
  else counted[LIMITS] = { decision, headers }
  diagnose.decided(decision, req)
  if (onDecision) callSafely<unknown>(() => onDecision(decision, req), ignore, diagnose.hookFailed)
  return { decision, receipt, headers }
}

function warnDoubleCount(diagnose: Diagnose): void {
  diagnose.warnOnce(
    'WRN_RATELIMIT_DOUBLE_COUNT',
    'A limiter counted a request twice: it is mounted twice, such as on an app and on its router. Mount it once, or create two limiters.',
  )
}

function ignore(): void {}
