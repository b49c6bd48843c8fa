import { callSafely } from '../../internal/guard.ts'
import type { IncomingMessage, Next, ServerResponse } from '../../internal/middleware.ts'
import { refuse } from '../../internal/refuse.ts'
import { requestFact } from '../../internal/request-fact.ts'
import { decisionOf, isCountedBy, joinDecisions, type RateLimitDecision } from './decision.ts'
import type { Diagnose } from './diagnose.ts'
import type { Fields } from './fields.ts'
import type { Counted } from './guarded-store.ts'
import { checkCost, methodsOf, type RateLimiter } from './limiter.ts'
import { chargeOf } from './limits.ts'
import type { Client, RateLimitOptions } from './options.ts'
import type { RateText } from './rate.ts'
import { denied, exceeded, isStoreDown } from './refusal.ts'
import { settingsOf } from './settings.ts'
import { after, type Soon, together } from './soon.ts'
import type { Charge } from './store.ts'

type Settings<Req extends IncomingMessage> = ReturnType<typeof settingsOf<Req>>

const decisionFact = requestFact<RateLimitDecision>('ratelimit')

/**
 * What the limiter decided about a request; of several limiters, the decision that is nearest to refusing, with the
 * limits of all. `undefined` where none has counted the request.
 */
export function rateLimitOf(req: object): RateLimitDecision | undefined {
  return decisionFact.get(req)
}

/**
 * Limits requests: `app.use(ratelimit('100/15m'))`. Every response says what is left; what is too much gets 429 with
 * `Retry-After`. Throws a `TypeError` for options that are wrong.
 */
export function ratelimit<Req extends IncomingMessage = IncomingMessage>(
  options: RateText | RateLimitOptions<Req>,
): RateLimiter {
  const settings = settingsOf<Req>(typeof options === 'string' ? { rate: options } : options)
  const handle = (req: IncomingMessage, res: ServerResponse, next: Next): void =>
    callSafely(
      () => judge(settings, req as Req),
      (verdict) => {
        if (verdict === 'denied' && !settings.shadow) refuse(denied(), req, res, next, settings.onRefused)
        else if (typeof verdict === 'string') next()
        else act(settings, verdict, req as Req, res, next)
      },
      (error) => {
        if (!isStoreDown(error)) next(error)
        else if (settings.shadow) next()
        else refuse(error, req, res, next, settings.onRefused)
      },
    )
  return Object.assign(handle, methodsOf(settings.counter))
}

/** Counts a request, if it is one that counts. */
function judge<Req extends IncomingMessage>(settings: Settings<Req>, req: Req): Soon<Counted | 'passed' | 'denied'> {
  const { locate, isAllowed, isDenied, principal, skip, counter, storeErrorOf } = settings
  const { address, subnet } = locate(req)
  if (isDenied?.(address)) return 'denied'
  if (isAllowed?.(address)) return 'passed'
  return after(principal?.(req), (name) => {
    const client: Client = { address, subnet, principal: name }
    return after(skip?.(req, client) ?? false, (skipped) => {
      if (skipped) return 'passed'
      return after(chargesOf(settings, req, client), (charges) =>
        charges.length === 0 ? 'passed' : counter.store.consume(charges, storeErrorOf?.(req)),
      )
    })
  })
}

function chargesOf<Req extends IncomingMessage>(
  { counter, costOf }: Settings<Req>,
  req: Req,
  client: Client,
): Soon<readonly Charge[]> {
  return after(typeof costOf === 'function' ? costOf(req, client) : costOf, (units) => {
    const cost = checkCost(units)
    const charges = counter.limits.map((limit) =>
      after(limit.keyOf(req, client), (key) => (key === undefined ? undefined : chargeOf(limit, key, cost, req))),
    )
    return after(together(charges), (all) => all.filter((charge) => charge !== undefined))
  })
}

/** Tells everybody of the decision, and lets the request on or refuses it. */
function act<Req extends IncomingMessage>(
  settings: Settings<Req>,
  counted: Counted,
  req: Req,
  res: ServerResponse,
  next: Next,
): void {
  const { diagnose, begin, onDecision, onRefused, retryJitter, shadow } = settings
  const decision = decisionOf(counted, shadow)
  begin()
  const earlier = decisionFact.get(req)
  if (earlier && isCountedBy(earlier, counted.by)) doubtDoubleCount(diagnose)
  const { joined, tighter } = joinDecisions(earlier, decision)
  decisionFact.set(req, joined)
  const fields = writeFields(settings, decision, tighter, req, res)
  diagnose.decided({ decision, req, res })
  if (decision.allowed) afterResponse(settings, decision, counted, req, res)
  callSafely(
    () => onDecision?.(decision, req, res),
    () => {
      if (decision.allowed || shadow) next()
      else refuse(exceeded(decision, fields, retryJitter()), req, res, next, onRefused)
    },
    next,
  )
}

function doubtDoubleCount(diagnose: Diagnose): void {
  diagnose.doubt(
    'WRN_RATELIMIT_DOUBLE_COUNT',
    'One limiter has counted a request twice: it is mounted twice, such as on an app and on its router. Mount it once, or make two limiters.',
  )
}

function writeFields<Req extends IncomingMessage>(
  { fieldsOf }: Settings<Req>,
  decision: RateLimitDecision,
  tighter: boolean,
  req: Req,
  res: ServerResponse,
): Fields {
  // What this process counted alone while the store was away would contradict what the client was told before.
  const isPreflight = req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined
  if (decision.source !== 'store' || isPreflight || res.headersSent) return {}
  const before = (name: string): string | undefined => {
    const value = res.getHeader(name)
    return typeof value === 'string' ? value : undefined
  }
  const fields = fieldsOf(decision, { tighter, before })
  for (const name in fields) res.setHeader(name, fields[name] ?? '')
  return fields
}

/** When the response has ended: leases are given back, and what it cost in truth takes the place of what was taken. */
function afterResponse<Req extends IncomingMessage>(
  { counter, settle, diagnose }: Settings<Req>,
  { cost }: RateLimitDecision,
  { charges, source }: Counted,
  req: Req,
  res: ServerResponse,
): void {
  const leases = charges.filter(({ policy, cost: units }) => policy.algorithm === 'concurrency' && units > 0)
  if (source === 'none' || (leases.length === 0 && !settle)) return
  const finish = (units: number): void => {
    const back = charges.flatMap((charge) => {
      if (charge.policy.algorithm === 'concurrency') return charge.cost > 0 ? [{ ...charge, cost: -charge.cost }] : []
      const more = Math.min(units, charge.policy.burst) - charge.cost
      return more === 0 ? [] : [{ ...charge, cost: more }]
    })
    // A store that fails here has been told of already; leases end by themselves.
    if (back.length > 0) callSafely(() => counter.store.adjust(back, source), ignore, ignore)
  }
  const end = (): void =>
    callSafely(
      () => (settle ? after(settle(req, res), checkCost) : cost),
      finish,
      (error) => {
        diagnose.settleFailed(error)
        finish(cost)
      },
    )
  // A client may have gone while the store was asked: then there is no `close` to come.
  if (res.destroyed || req.socket.destroyed) end()
  else res.once('close', end)
}

function ignore(): void {}
