import type { IncomingMessage } from 'node:http'
import type { Representation } from '@svc/negotiate'
import type { ResponseContent } from '../engine/action.ts'
import type { RenderContext } from '../engine/compiled-collection.ts'
import type { ContentKind } from '../engine/route.ts'
import type { SiteConfig } from './pages/view.ts'

/** The response that content is encoded for. */
export interface EncodeContext {
  req: IncomingMessage
  representation: Representation
  site: SiteConfig
}

/** A media type that content can be encoded in. */
export interface Format {
  /** Media type, as in `Accept`. */
  type: string
  /** Parameters of `Content-Type`: `; charset=utf-8`. */
  parameters: string
  /** Whether its text depends only on content and context and can be cached. @defaultValue false */
  isPure?: true
  /** Kinds of content that it can encode. */
  kinds: readonly ContentKind[]
  /** Names of the records that it can encode. @defaultValue all */
  records?: readonly string[]
  /** Changes the headers of its responses. */
  adapt?(representation: Representation, req: IncomingMessage): Representation
  encode(
    content: ResponseContent,
    context: RenderContext,
    request: EncodeContext,
  ): string | Uint8Array | Promise<string | Uint8Array>
}
