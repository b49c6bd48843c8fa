import type { ServerResponse } from '../../internal/middleware.ts'
import { decode } from './decode.ts'
import type { StoredResponse } from './response.ts'
import type { PickHeaders } from './stored-headers.ts'

export interface RecordingOptions {
  pick: PickHeaders
  /** Maximum size of the body in bytes. A response with a larger one is stored without it. */
  maxBytes: number
  /**
   * Whether all bytes are held back until the response is stored, instead of the last chunk only.
   */
  hold: boolean
}

/** Recorded part of a response. */
export interface Recording {
  /** Called when the headers are complete. */
  head(): void
  add(chunk: Buffer): void
  /** Returns all bytes so far; none of a body that is too large, unless all are held back. */
  bytes(): Buffer
  /** Returns the response as it is stored: with its body if it is complete. */
  response(isComplete: boolean): StoredResponse
}

/** Records a response while it is sent. */
export function recordResponse(res: ServerResponse, { pick, maxBytes, hold }: RecordingOptions): Recording {
  const chunks: Buffer[] = []
  const readHead = () => ({ status: res.statusCode, headers: pick(res) })
  let head: ReturnType<typeof readHead> | undefined
  let encoding: unknown
  let size = 0
  const bytes = (): Buffer => {
    const [first] = chunks
    return first && chunks.length === 1 ? first : Buffer.concat(chunks)
  }
  return {
    head() {
      head = readHead()
      encoding = res.getHeader('Content-Encoding')
    },
    add(chunk) {
      size += chunk.length
      if (hold || size <= maxBytes) chunks.push(chunk)
      else chunks.length = 0
    },
    bytes,
    response(isComplete) {
      const body = isComplete && size <= maxBytes ? decode(bytes(), encoding, maxBytes) : undefined
      return { ...(head ?? readHead()), body }
    },
  }
}
