import type { HttpError } from '@svc/errors'
import { createFingerprint, type IdempotencyEngine } from '@svc/idempotency'
import { checkPreconditions, type Representation } from '@svc/negotiate'
import { clientIp } from '@svc/ratelimit'
import type { Connection, Database } from '../database/connection.ts'
import { chain, isPromise, type MaybePromise } from '../database/maybe-promise.ts'
import { type ActionContext, type ActionResult, parsePrefer } from '../engine/action.ts'
import type { RenderContext } from '../engine/compiled-collection.ts'
import type { ReuseText } from '../engine/hal.ts'
import { runOrDefer } from '../engine/jobs/defer.ts'
import { awaitOperation, waitSeconds } from '../engine/jobs/operation.ts'
import { rejectParameters } from '../engine/query.ts'
import type { Reply, RequestState, Stage } from '../engine/request-state.ts'
import { type FindRoute, isSafe, type RouteMatch } from '../engine/route.ts'
import { type Beforehand, dryRun, inPlace, withBeforehand } from '../engine/transaction.ts'
import type { Formats } from '../formats/formats.ts'
import { type SiteConfig, selectLanguage } from '../formats/pages/view.ts'
import { getOrigin } from '../security/origin.ts'
import { readBody, wantsDigests, withDigests } from './body.ts'
import { DEADLINE_MS, withDeadline } from './deadline.ts'
import { createRunKeyed, encodeBody, type RunKeyed, readIdempotencyKey } from './idempotency.ts'
import { type KeptRepresentation, keepRepresentations, storeItemTexts } from './kept-representations.ts'
import { currentTime } from './log.ts'
import { createRepresentation, prepareResult } from './representation.ts'

export interface RunActionOptions {
  database: Database
  idempotency: IdempotencyEngine
  site: SiteConfig
  formats: Formats
  /** Finds what a deferred action created. */
  findRoute: FindRoute
  /** Maximum time for an action. @defaultValue 15 seconds */
  deadlineMs?: number
}

interface Tools extends RunActionOptions {
  runKeyed: RunKeyed
  reuseText: ReuseText
}

/**
 * Reads the body, runs the action and returns its representation. How long a client may take to
 * send its body is the server's limit; the deadline is for the work.
 */
export function runAction(options: RunActionOptions): Stage {
  const { database, idempotency, deadlineMs = DEADLINE_MS } = options
  const findKept = keepRepresentations(options.formats)
  const tools: Tools = { ...options, runKeyed: createRunKeyed(idempotency, database), reuseText: storeItemTexts() }
  const run = (state: RequestState, match: RouteMatch, key: string | undefined, body: Buffer): MaybePromise<Reply> => {
    const representation = withDeadline(deadlineMs, (lift) => respondTo(state, match, { key, body, lift }, tools))
    if (!isPromise(representation)) return toReply(state, representation)
    return representation.then((later) => {
      if (later.status !== 202) return toReply(state, later)
      return awaitAccepted(state, match, body, later, tools).then((result) => toReply(state, result))
    })
  }
  return (state) => {
    const { method, search, req, res, match } = state
    if (!match) return undefined
    const keptEntry = findKept(state)
    if (keptEntry)
      return keptEntry.current
        ? { prepared: keptEntry.current }
        : withDeadline(deadlineMs, () => read(state, match, keptEntry, tools))
    // A write is described by its path and its body.
    if (search !== '' && method !== 'GET' && method !== 'HEAD')
      rejectParameters(search, parsePrefer(req.headers['prefer']?.toString()).lenient)
    const key = readIdempotencyKey(state)
    const body = readBody(req, res)
    return isPromise(body) ? body.then((bytes) => run(state, match, key, bytes)) : run(state, match, key, body)
  }
}

/** Reads what may be kept: a GET without a body and without preferences. */
function read(
  state: RequestState,
  match: RouteMatch,
  keptEntry: KeptRepresentation,
  tools: Tools,
): MaybePromise<Reply> {
  const { site, reuseText } = tools
  const call = createCall(state, match, NO_BODY, tools)
  const respond = (result: ActionResult | HttpError): Reply => {
    if (result instanceof Error) return { error: result }
    const context = { ...createContext(state, call, site), reuseText }
    const prepared = keptEntry.keep(result.content, () => prepareResult(state, result, context, tools))
    return prepared ? { prepared } : { representation: createRepresentation(state, result, context, tools) }
  }
  return chain(match.action.run(call), respond)
}

function toReply({ req }: RequestState, representation: Representation): MaybePromise<Reply> {
  if (!wantsDigests(req)) return { representation }
  return withDigests(req, representation).then((digested) => ({ representation: digested }))
}

interface Work {
  key: string | undefined
  body: Buffer
  /** Ends the deadline: called before a commit. */
  lift: () => void
}

function respondTo(
  state: RequestState,
  match: RouteMatch,
  { key, body, lift }: Work,
  tools: Tools,
): MaybePromise<Representation> {
  const { database, site, runKeyed } = tools
  const call = createCall(state, match, body, tools)
  const context = createContext(state, call, site)
  const run = (db: Connection, beforehand: Beforehand): MaybePromise<Representation> =>
    chain(
      runOrDefer(match.action, { ...call, db, beforeCommit: lift, beforehand }, state.negotiated?.format ?? ''),
      (result) => {
        if (result instanceof Error) throw result
        return createRepresentation(state, result, context, tools)
      },
    )
  if (isSafe(call.method)) return run(database, inPlace)
  // Without a scope an action changes nothing that a rollback would undo.
  if (call.prefer.rollback && match.action.scope !== undefined)
    return withBeforehand((beforehand) =>
      dryRun(database, async (tx) => toDryRun(await encodeBody(await run(tx, beforehand)))),
    )
  if (key === undefined) return withBeforehand((beforehand) => run(database, beforehand))

  const scope = state.caller?.subject ?? `address ${clientIp(state.req)}`
  const { method, bodyType: contentType, version } = call
  const fingerprint = createFingerprint({ method, target: state.target, contentType, body, version })
  // A retry waits that long for the response of the first request.
  const maxWaitMs = call.prefer.wait === undefined ? {} : { maxWaitMs: waitSeconds(call.prefer) * 1000 }
  return withBeforehand((beforehand) =>
    runKeyed({ scope, key, fingerprint, ...maxWaitMs }, state, (tx) => run(tx, beforehand), lift),
  )
}

// Nothing has changed, so that nothing cached is stale. An Idempotency-Key stays unused: the write
// itself is still to come.
function toDryRun({ headers = {}, ...representation }: Representation): Representation {
  const { 'Cache-Group-Invalidation': _, 'Preference-Applied': applied, ...others } = headers
  const preferences = [applied, 'tx=rollback'].filter((value) => value !== undefined).join(', ')
  return { ...representation, headers: { ...others, 'Preference-Applied': preferences } }
}

// What was queued is committed by now, so the client can wait for it as for the operation of
// another request.
async function awaitAccepted(
  state: RequestState,
  match: RouteMatch,
  body: Buffer,
  accepted: Representation,
  tools: Tools,
): Promise<Representation> {
  const call = createCall(state, match, body, tools)
  const seconds = waitSeconds(call.prefer)
  const [, id] = /\/operations\/([\w-]+)$/.exec(String(accepted.headers?.['Location'] ?? '')) ?? []
  if (id === undefined || seconds === 0) return accepted
  const result = await awaitOperation(id, call, tools.findRoute)
  if (result) return createRepresentation(state, result, createContext(state, call, tools.site), tools)
  return { ...accepted, headers: { ...accepted.headers, 'Preference-Applied': `respond-async, wait=${seconds}` } }
}

const NO_BODY = Buffer.alloc(0)
const doNothing = (): void => {}

/** Creates the context of an action outside of a transaction. */
function createCall(
  { req, method, path, search, caller, version }: RequestState,
  { params }: RouteMatch,
  body: Buffer,
  { database, site }: Tools,
): ActionContext {
  if (!version) throw new Error('the version must be known before an action runs')
  const { 'content-type': type = '', prefer } = req.headers
  const semicolon = type.indexOf(';')
  return {
    method,
    path,
    params,
    search,
    caller,
    origin: () => getOrigin(req, site.publicUrl),
    bodyType: (semicolon === -1 ? type : type.slice(0, semicolon)).trim().toLowerCase(),
    body,
    database,
    db: database,
    now: currentTime(),
    version: version.version,
    prefix: version.prefix,
    language: () => selectLanguage(req),
    prefer: parsePrefer(prefer?.toString()),
    requireCurrent(current) {
      const error = checkPreconditions(req, current)
      if (error) throw error
    },
    beforeCommit: doNothing,
    beforehand: inPlace,
  }
}

function createContext(
  { version: resolved, caller }: RequestState,
  { version }: ActionContext,
  site: SiteConfig,
): RenderContext {
  const scopes = caller?.scopes
  const can = (scope: string): boolean => scopes?.has(scope) ?? false
  return {
    base: site.publicUrl + (resolved?.prefix ?? ''),
    caller,
    can,
    mayFollow: (path) => site.canGet(path, can),
    version,
    fields: undefined,
    embedded: undefined,
  }
}
