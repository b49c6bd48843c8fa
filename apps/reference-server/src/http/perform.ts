import type { IncomingMessage, ServerResponse } from 'node:http'
import { createFingerprint, type IdempotencyEngine } from '@svc/idempotency'
import { checkPreconditions, type Representation } from '@svc/negotiate'
import { clientIp } from '@svc/ratelimit'
import { linkPrefix, versionOf } from '@svc/versioning'
import { getTarget, type Middleware, type Next } from '../../../../packages/internal/middleware.ts'
import type { Database, Db } from '../database/database.ts'
import type { Call } from '../engine/call.ts'
import { runOrDefer } from '../engine/jobs/defer.ts'
import { preferOf } from '../engine/prefer.ts'
import { refuseParameters } from '../engine/query.ts'
import { type RequestState, requestStateOf } from '../engine/request-state.ts'
import { isSafe, type Match } from '../engine/route.ts'
import type { RenderContext } from '../engine/shape.ts'
import type { Site } from '../formats/pages/site.ts'
import { originOf } from '../security/origin.ts'
import { bodyOf } from './body.ts'
import { DEADLINE_MS, withDeadline } from './deadline.ts'
import { wantsDigests, withDigests } from './digest.ts'
import { dryRun } from './dry-run.ts'
import { createRunKeyed, keyOf } from './idempotency.ts'
import { representationOf, respond } from './respond.ts'

export interface PerformOptions {
  database: Database
  idempotency: IdempotencyEngine
  site: Site
  /** How long an action may take. @defaultValue 15 seconds */
  deadlineMs?: number
}

/** How long a retry may wait for the response of the first request. */
const MAX_WAIT_SECONDS = 10

/** The end of the pipeline: reads the body, runs the action, answers. */
export function perform({ database, idempotency, site, deadlineMs = DEADLINE_MS }: PerformOptions): Middleware {
  const runKeyed = createRunKeyed(idempotency, database)
  const answerOf = (req: IncomingMessage, { key, body }: Given, lift: () => void): Promise<Representation> => {
    const state = requestStateOf(req)
    const match = required(state)
    const type = state.negotiated?.format ?? ''
    const call = callOf(req, state, match, { database, body, publicUrl: site.publicUrl })
    const context = contextOf(req, state, call, site)
    const run = async (db: Db): Promise<Representation> =>
      representationOf(
        req,
        await runOrDefer(match.action, { ...call, db, beforeCommit: lift }, type),
        state,
        context,
        site,
      )
    // Without a scope an action changes nothing that a rollback would undo.
    if (call.prefer.rollback && match.action.scope !== undefined && !isSafe(call.method)) return dryRun(database, run)
    if (key === undefined) return run(database.db)

    const { subject } = state.caller ?? { subject: `address ${clientIp(req)}` }
    const fingerprint = createFingerprint({
      ...{ method: call.method, target: getTarget(req), contentType: call.bodyType, body, version: call.version },
    })
    const { wait } = call.prefer
    const maxWaitMs = wait === undefined ? {} : { maxWaitMs: Math.min(wait, MAX_WAIT_SECONDS) * 1000 }
    return runKeyed({ scope: subject, key, fingerprint, ...maxWaitMs }, state, run, lift)
  }
  return (req, res, next) => {
    given(req, res)
      .then((given) => withDeadline(deadlineMs, (lift) => answerOf(req, given, lift)))
      .then((representation) => send(req, res, representation, next), next)
  }
}

function send(req: IncomingMessage, res: ServerResponse, representation: Representation, next: Next): void {
  if (!wantsDigests(req)) return respond(req, res, representation, next)
  withDigests(req, representation).then((digested) => respond(req, res, digested, next), next)
}

interface Given {
  key: string | undefined
  body: Buffer
}

// How long a client may take to send its body is the server's limit; the deadline is for the work.
async function given(req: IncomingMessage, res: ServerResponse): Promise<Given> {
  const state = requestStateOf(req)
  const { method = 'GET', headers } = req
  // What a write is asked to do is in its path and its body.
  if (method !== 'GET' && method !== 'HEAD')
    refuseParameters(state.search, preferOf(headers['prefer'] as string | undefined).lenient)
  return { key: keyOf(req, state), body: await bodyOf(req, res) }
}

function required({ match }: RequestState): Match {
  if (!match) throw new Error('the stage `find` must come before')
  return match
}

function requireVersion(req: IncomingMessage): string {
  const { version } = versionOf(req) ?? {}
  if (version === undefined) throw new Error('the middleware of versioning must come before')
  return version
}

type CallAlone = Omit<Call, 'db' | 'beforeCommit'>

function callOf(
  req: IncomingMessage,
  state: RequestState,
  match: Match,
  { database, body, publicUrl }: { database: Database; body: Buffer; publicUrl: string },
): CallAlone {
  const { method = 'GET', headers } = req
  const type = headers['content-type'] ?? ''
  const semicolon = type.indexOf(';')
  return {
    method,
    path: state.path,
    params: match.params,
    search: state.search,
    caller: state.caller,
    origin: () => originOf(req, publicUrl),
    bodyType: (semicolon === -1 ? type : type.slice(0, semicolon)).trim().toLowerCase(),
    body,
    database,
    now: new Date().toISOString(),
    version: requireVersion(req),
    prefer: preferOf(headers['prefer'] as string | undefined),
    requireCurrent(state) {
      const refused = checkPreconditions(req, state)
      if (refused) throw refused
    },
  }
}

function contextOf(req: IncomingMessage, { caller }: RequestState, { version }: CallAlone, site: Site): RenderContext {
  const scopes = caller?.scopes
  const can = (scope: string): boolean => scopes?.has(scope) ?? false
  return {
    base: site.publicUrl + linkPrefix(req),
    caller,
    can,
    mayFollow: (path) => site.canGet(path, can),
    version,
    fields: undefined,
    embedded: undefined,
  }
}
