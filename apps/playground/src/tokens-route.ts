import {
  type ActionContext,
  type ActionResult,
  parseJson,
  type Route,
  route,
} from '../../reference-server/src/index.ts'
import { type Mint, mint } from './mint.ts'
import { tokensPage } from './tokens-page.ts'

const pageInfo = {
  operationId: 'getTokenMaker',
  summary: 'Get the token maker',
  description: 'Returns the page that makes tokens.',
}

const makeInfo = {
  operationId: 'makeToken',
  summary: 'Make a token',
  description: 'Makes a token, with a flaw on request.',
}

/** /_demo/tokens: the page that makes tokens, and where it has them made. */
export function tokensRoute(maker: Mint): Route {
  const common = {
    scope: undefined,
    kind: 'record',
    record: 'tokens',
    tag: 'playground',
    accepts: [],
    idempotency: 'none',
    cost: 1,
  } as const
  const page = { kind: 'record', name: 'tokens', value: {}, page: tokensPage } as const
  return route('/_demo/tokens', {
    GET: { ...common, ...pageInfo, run: () => ({ status: 200, cache: 'never', content: page }) },
    POST: { ...common, ...makeInfo, accepts: ['application/json'], run: (call) => make(call, maker) },
  })
}

async function make({ body, origin }: ActionContext, maker: Mint): Promise<ActionResult> {
  const { user, scope, lifetimeSeconds = 900, flaw = 'none' } = parseJson(body) as Record<string, unknown>
  const wish = {
    ...{ user: String(user), scope: scope ? String(scope) : undefined },
    ...{ lifetimeSeconds: Number(lifetimeSeconds), flaw: String(flaw) },
  }
  const value = await mint(wish, maker, origin())
  return { status: 200, cache: 'never', content: { kind: 'record', name: 'token', value } }
}
