import type { IncomingMessage } from 'node:http'
import type { Representation } from '@svc/negotiate'
import type { ResponseContent } from '../engine/action-result.ts'
import type { RenderContext } from '../engine/compiled-collection.ts'
import type { ContentKind } from '../engine/route.ts'
import type { SiteConfig } from './pages/view.ts'

/** The answer that a content is written for. */
export interface EncodeContext {
  req: IncomingMessage
  representation: Representation
  site: SiteConfig
}

/** One way to write contents. */
export interface Format {
  /** What clients ask for. */
  type: string
  /** Parameters of `Content-Type`: `; charset=utf-8`. */
  parameters: string
  /** Whether its text depends on nothing but the content and its context: then it may be kept. @defaultValue false */
  isPure?: true
  /** What it can write. */
  kinds: readonly ContentKind[]
  /** Names of the records that it can write. @defaultValue all */
  records?: readonly string[]
  /** Changes what its answers say of themselves. */
  adapt?(representation: Representation, req: IncomingMessage): Representation
  encode(
    content: ResponseContent,
    context: RenderContext,
    request: EncodeContext,
  ): string | Uint8Array | Promise<string | Uint8Array>
}
