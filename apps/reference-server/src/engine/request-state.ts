import { type RequestFact, requestFact } from '../../../../packages/internal/request-fact.ts'
import type { Caller } from '../security/caller.ts'
import type { TokenFacts } from '../security/token-error.ts'
import type { Match } from './route.ts'

/** What the stages of the pipeline find out about a request, each for those behind it. */
export interface Exchange {
  readonly correlationId: string
  readonly startedAt: number
  /** Path without the version, and the query without its question mark. */
  path: string
  search: string
  /** Fields that every answer carries, whoever writes it: stages add theirs. */
  readonly fields: Record<string, string>
  match: Match | undefined
  caller: Caller | undefined
  /** Why the token of the request was rejected, for the log. */
  rejection: TokenFacts | undefined
  /** The media type that was chosen, and the format that makes it. */
  chosen: { type: string; format: string } | undefined
}

const facts: RequestFact<Exchange> = requestFact<Exchange>('reference-server.exchange')

/** Keeps what is known about a request. */
export function setExchange(req: object, exchange: Exchange): void {
  facts.set(req, exchange)
}

/** What is known about a request. The first stage makes it, so every other one finds it. */
export function exchangeOf(req: object): Exchange {
  const exchange = facts.get(req)
  if (!exchange) throw new Error('the stage `correlate` must come first')
  return exchange
}
