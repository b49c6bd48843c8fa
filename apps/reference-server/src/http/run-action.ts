import { createFingerprint, type IdempotencyEngine } from '@svc/idempotency'
import { checkPreconditions, type Representation } from '@svc/negotiate'
import type { Connection, Database } from '../database/connection.ts'
import { chain, type MaybePromise } from '../database/maybe-promise.ts'
import { type ActionContext, NO_PREFERENCES, parsePrefer } from '../engine/action.ts'
import type { RenderContext } from '../engine/compiled-collection.ts'
import type { ReuseText } from '../engine/hal.ts'
import { runOrDefer } from '../engine/jobs/defer.ts'
import { awaitOperation, waitSeconds } from '../engine/jobs/operation.ts'
import { rejectParameters } from '../engine/query.ts'
import type { Reply, RequestState, Stage } from '../engine/request-state.ts'
import type { Action, FindRoute, RouteMatch } from '../engine/route.ts'
import { dryRun, inPlace, withBeforehand } from '../engine/transaction.ts'
import type { Formats } from '../formats/formats.ts'
import { type SiteConfig, selectLanguage } from '../formats/pages/view.ts'
import { getOrigin } from '../security/origin.ts'
import { readBody, withDigests } from './body.ts'
import { createRunKeyed, type RunKeyed, readIdempotencyKey } from './idempotency.ts'
import { type KeptRepresentation, keepRepresentations, storeItemTexts } from './kept-representations.ts'
import { currentTime } from './log.ts'
import { DEADLINE_MS, withDeadline } from './pipeline.ts'
import type { LocateClient } from './rate-limits.ts'
import { createRepresentation, prepareResult } from './representation.ts'

export interface RunActionOptions {
  database: Database
  idempotency: IdempotencyEngine
  site: SiteConfig
  formats: Formats
  /** Finds what a deferred action created. */
  findRoute: FindRoute
  locate: LocateClient
  /** Maximum time for an action. @defaultValue 15 seconds */
  deadlineMs?: number
}

interface Tools extends RunActionOptions {
  deadlineMs: number
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
  const runKeyed = createRunKeyed(idempotency, database)
  const tools: Tools = { ...options, deadlineMs, runKeyed, reuseText: storeItemTexts() }
  return (state) => {
    const { method, search, req, res, match } = state
    if (!match) return undefined
    if (method === 'GET' || method === 'HEAD') {
      const stored = findKept(state)
      if (stored?.current) return { prepared: stored.current }
      if (stored) return withDeadline(deadlineMs, () => read(state, match, NO_BODY, stored, tools))
    } else if (search !== '') {
      // A write is described by its path and its body.
      rejectParameters(search, parsePrefer(req.headers['prefer']?.toString()).lenient)
    }
    if (!match.action.isSafe) return change(state, match, tools)
    return chain(readBody(req, res), (body) =>
      withDeadline(deadlineMs, () => read(state, match, body, undefined, tools)),
    )
  }
}

/** Runs an action that changes nothing. `stored` keeps its representation, if it may be kept. */
function read(
  state: RequestState,
  match: RouteMatch,
  body: Buffer,
  stored: KeptRepresentation | undefined,
  tools: Tools,
): MaybePromise<Reply> {
  const call = createCall(state, match, body, tools)
  // What is kept has neither preferences nor another format than JSON.
  const outcome = stored ? match.action.run(call) : runOrDefer(match.action, call, state.negotiated?.format ?? '')
  return chain(outcome, (result): MaybePromise<Reply> => {
    if (result instanceof Error) return { error: result }
    const context = createContext(state, tools.site)
    if (!stored) return finish(state, call, createRepresentation(state, result, context, tools), tools)
    context.reuseText = tools.reuseText
    const prepared = stored.keep(result.content, () => prepareResult(state, result, context, tools))
    return prepared ? { prepared } : { representation: createRepresentation(state, result, context, tools) }
  })
}

/** Reads the body, and runs the action of a change. */
async function change(state: RequestState, match: RouteMatch, tools: Tools): Promise<Reply> {
  const key = readIdempotencyKey(state)
  const call = createCall(state, match, await readBody(state.req, state.res), tools)
  const representation = await withDeadline(tools.deadlineMs, (lift) => {
    call.beforeCommit = lift
    return withBeforehand((beforehand) => {
      call.beforehand = beforehand
      return perform(state, match.action, call, key, tools)
    })
  })
  return finish(state, call, representation, tools)
}

/** Runs an action, in the transaction of its key if it has one, and represents its result. */
function perform(
  state: RequestState,
  action: Action,
  call: ActionContext,
  key: string | undefined,
  tools: Tools,
): Promise<Representation> {
  const { prefer, method, bodyType: contentType, version, body, database } = call
  // Without a scope an action changes nothing that a rollback would undo.
  const isDryRun = prefer.rollback && action.scope !== undefined
  const run = async ({ transaction: db }: { transaction: Connection }): Promise<Representation> => {
    const context = { ...call, db }
    const format = state.negotiated?.format ?? ''
    const result = await (prefer.respondAsync ? runOrDefer(action, context, format) : action.run(context))
    if (result instanceof Error) throw result
    const representation = createRepresentation(state, result, createContext(state, tools.site), tools)
    // The content is encoded as long as the transaction is open, to be stored with the effects.
    if (db !== database && typeof representation.body === 'function') representation.body = await representation.body()
    if (db !== database && !isDryRun) call.beforeCommit()
    return representation
  }
  if (isDryRun) return dryRun(database, async (transaction) => toDryRun(await run({ transaction })))
  if (key === undefined) return run({ transaction: database })
  const input = {
    scope: state.caller?.subject ?? `address ${tools.locate(state.req)}`,
    key,
    fingerprint: createFingerprint({ method, target: state.target, contentType, body, version }),
    // A retry waits that long for the response of the first request.
    ...(prefer.wait !== undefined && { maxWaitMs: waitSeconds(prefer) * 1000 }),
  }
  return tools.runKeyed(input, state, run)
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
    prefer: prefer === undefined ? NO_PREFERENCES : parsePrefer(prefer.toString()),
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
