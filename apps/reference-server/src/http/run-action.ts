import { createFingerprint, type IdempotencyEngine } from '@svc/idempotency'
import { checkPreconditions, type Representation } from '@svc/negotiate'
import { clientIp } from '@svc/ratelimit'
import type { Connection, Database } from '../database/connection.ts'
import { chain, type MaybePromise } from '../database/maybe-promise.ts'
import { type ActionContext, parsePrefer } from '../engine/action.ts'
import type { RenderContext } from '../engine/compiled-collection.ts'
import type { ReuseText } from '../engine/hal.ts'
import { runOrDefer } from '../engine/jobs/defer.ts'
import { awaitOperation, waitSeconds } from '../engine/jobs/operation.ts'
import { rejectParameters } from '../engine/query.ts'
import type { Reply, RequestState, Stage } from '../engine/request-state.ts'
import { type Action, type FindRoute, isSafe, type RouteMatch } from '../engine/route.ts'
import { type Beforehand, dryRun, inPlace, withBeforehand } from '../engine/transaction.ts'
import type { Formats } from '../formats/formats.ts'
import { type SiteConfig, selectLanguage } from '../formats/pages/view.ts'
import { getOrigin } from '../security/origin.ts'
import { readBody, withDigests } from './body.ts'
import { createRunKeyed, encodeBody, type RunKeyed, readIdempotencyKey } from './idempotency.ts'
import { type KeptRepresentation, keepRepresentations, storeItemTexts } from './kept-representations.ts'
import { currentTime } from './log.ts'
import { DEADLINE_MS, withDeadline } from './pipeline.ts'
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
  return (state) => {
    const { method, search, req, res, match } = state
    if (!match) return undefined
    if (method === 'GET' || method === 'HEAD') {
      const stored = findKept(state)
      if (stored?.current) return { prepared: stored.current }
      if (stored) return withDeadline(deadlineMs, () => read(state, match, stored, tools))
    } else if (search !== '') {
      // A write is described by its path and its body.
      rejectParameters(search, parsePrefer(req.headers['prefer']?.toString()).lenient)
    }
    const key = readIdempotencyKey(state)
    const run = (body: Buffer): MaybePromise<Reply> => {
      const call = createCall(state, match, body, tools)
      const work = (lift: () => void): MaybePromise<Representation> =>
        perform(state, match.action, { ...call, beforeCommit: lift }, key, tools)
      return chain(withDeadline(deadlineMs, work), (result) => finish(state, call, result, tools))
    }
    return chain(readBody(req, res), run)
  }
}

/** Reads what may be kept: a GET without a body and without preferences. */
function read(state: RequestState, match: RouteMatch, stored: KeptRepresentation, tools: Tools): MaybePromise<Reply> {
  const call = createCall(state, match, NO_BODY, tools)
  return chain(match.action.run(call), (result): Reply => {
    if (result instanceof Error) return { error: result }
    const context = { ...createContext(state, tools.site), reuseText: tools.reuseText }
    const prepared = stored.keep(result.content, () => prepareResult(state, result, context, tools))
    return prepared ? { prepared } : { representation: createRepresentation(state, result, context, tools) }
  })
}

/** Runs an action, in the transaction of its key if it has one, and represents its result. */
function perform(
  state: RequestState,
  action: Action,
  call: ActionContext,
  key: string | undefined,
  tools: Tools,
): MaybePromise<Representation> {
  const { database, site, runKeyed } = tools
  const run = (db: Connection, beforehand: Beforehand): MaybePromise<Representation> =>
    chain(runOrDefer(action, { ...call, db, beforehand }, state.negotiated?.format ?? ''), (result) => {
      if (result instanceof Error) throw result
      return createRepresentation(state, result, createContext(state, site), tools)
    })
  if (isSafe(call.method)) return run(database, inPlace)
  const { prefer, method, bodyType: contentType, version, body } = call
  // Without a scope an action changes nothing that a rollback would undo.
  if (prefer.rollback && action.scope !== undefined)
    return withBeforehand((beforehand) =>
      dryRun(database, async (tx) => toDryRun(await encodeBody(await run(tx, beforehand)))),
    )
  if (key === undefined) return withBeforehand((beforehand) => run(database, beforehand))
  const input = {
    scope: state.caller?.subject ?? `address ${clientIp(state.req)}`,
    key,
    fingerprint: createFingerprint({ method, target: state.target, contentType, body, version }),
    // A retry waits that long for the response of the first request.
    ...(prefer.wait !== undefined && { maxWaitMs: waitSeconds(prefer) * 1000 }),
  }
  return withBeforehand((beforehand) => runKeyed(input, state, (tx) => run(tx, beforehand), call.beforeCommit))
}

// Nothing has changed, so that nothing cached is stale. An Idempotency-Key stays unused: the write
// itself is still to come.
function toDryRun({ headers = {}, ...representation }: Representation): Representation {
  const { 'Cache-Group-Invalidation': _, 'Preference-Applied': applied, ...others } = headers
  const preferences = [applied, 'tx=rollback'].filter((value) => value !== undefined).join(', ')
  return { ...representation, headers: { ...others, 'Preference-Applied': preferences } }
}

/** Adds what the client still waits for: the end of an operation, and digests of the body. */
function finish(
  state: RequestState,
  call: ActionContext,
  representation: Representation,
  tools: Tools,
): MaybePromise<Reply> {
  const { 'want-repr-digest': repr, 'want-content-digest': content } = state.req.headers
  const wantsDigests = repr !== undefined || content !== undefined
  if (representation.status !== 202 && !wantsDigests) return { representation }
  return (async (): Promise<Reply> => {
    const last =
      representation.status === 202 ? await awaitAccepted(state, call, representation, tools) : representation
    return { representation: wantsDigests ? await withDigests(state.req, last) : last }
  })()
}

// What was queued is committed by now, so the client can wait for it as for the operation of
// another request.
async function awaitAccepted(
  state: RequestState,
  call: ActionContext,
  accepted: Representation,
  tools: Tools,
): Promise<Representation> {
  const seconds = waitSeconds(call.prefer)
  const [, id] = /\/operations\/([\w-]+)$/.exec(String(accepted.headers?.['Location'] ?? '')) ?? []
  if (id === undefined || seconds === 0) return accepted
  const result = await awaitOperation(id, call, tools.findRoute)
  if (result) return createRepresentation(state, result, createContext(state, tools.site), tools)
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

function createContext({ version, caller }: RequestState, site: SiteConfig): RenderContext {
  const scopes = caller?.scopes
  const can = (scope: string): boolean => scopes?.has(scope) ?? false
  return {
    base: site.publicUrl + (version?.prefix ?? ''),
    caller,
    can,
    mayFollow: (path) => site.canGet(path, can),
    version: version?.version ?? '',
    fields: undefined,
    embedded: undefined,
  }
}
