import {
  type ActionContext,
  type ActionResult,
  parseJson,
  type Route,
  route,
} from '../../reference-server/src/index.ts'
import { createToken, type TokenMaker } from './mint.ts'
import { tokensPage } from './tokens-page.ts'

const pageInfo = {
  operationId: 'getTokenMaker',
  summary: 'Get the token maker',
  description: 'Returns the page that creates tokens.',
}

const makeInfo = {
  operationId: 'makeToken',
  summary: 'Create a token',
  description: 'Creates a token, with a flaw on request.',
}

/** /_demo/tokens: the page that creates tokens, and the operation that it calls. */
export function tokensRoute(maker: TokenMaker): Route {
  const common = {
    scope: undefined,
    kind: 'record',
    record: 'tokens',
    tag: 'playground',
  } as const
  const page = { kind: 'record', name: 'tokens', value: {}, page: tokensPage } as const
  return route('/_demo/tokens', {
    GET: { ...common, ...pageInfo, run: () => ({ status: 200, cache: 'never', content: page }) },
    POST: { ...common, ...makeInfo, accepts: ['application/json'], cost: 1, run: (call) => make(call, maker) },
  })
}

async function make({ body, origin }: ActionContext, maker: TokenMaker): Promise<ActionResult> {
  const { user, scope, lifetimeSeconds = 900, flaw = 'none' } = Object(parseJson(body)) as Record<string, unknown>
  const request = {
    user: String(user),
    scope: scope ? String(scope) : undefined,
    lifetimeSeconds: Number(lifetimeSeconds),
    flaw: String(flaw),
  }
  const value = await createToken(request, maker, origin())
  return { status: 200, cache: 'never', content: { kind: 'record', name: 'token', value } }
}
