import type { Content } from '../resource/result.ts'
import type { ContentKind } from '../resource/route.ts'
import type { RenderContext } from '../resource/shape.ts'

/** One way to write contents. */
export interface Format {
  /** What clients ask for. */
  type: string
  /** Parameters of `Content-Type`: `; charset=utf-8`. */
  parameters: string
  /** What it can write. */
  kinds: readonly ContentKind[]
  /** @defaultValue whatever is of its kinds */
  can?: (content: string) => boolean
  encode(content: Content, context: RenderContext): string | Uint8Array | Promise<string | Uint8Array>
}
