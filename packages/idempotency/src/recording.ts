import type { ServerResponse } from '../../internal/middleware.ts'
import { decode } from './decode.ts'
import type { StoredResponse } from './response.ts'
import type { PickHeaders } from './stored-headers.ts'

export interface RecordingOptions {
  pick: PickHeaders
  /** An answer with a larger body is kept without it. */
  maxBytes: number
  /** Whether every byte is held back until the answer is settled, instead of the last ones alone. */
  hold: boolean
}

/** What has been seen of an answer. */
export interface Recording {
  /** Whether its head is complete. */
  hasHead(): boolean
  head(): void
  add(chunk: Buffer): void
  /** All bytes so far; of a body that is too large, where nothing is held back, none. */
  bytes(): Buffer
  /** The answer as it is to be kept: with its body, if it is complete. */
  response(isComplete: boolean): StoredResponse
}

/** Records an answer while it passes. */
export function recording(res: ServerResponse, { pick, maxBytes, hold }: RecordingOptions): Recording {
  const chunks: Buffer[] = []
  let headers: StoredResponse['headers'] | undefined
  let coding: unknown
  let size = 0
  const bytes = (): Buffer => {
    const [first] = chunks
    return first && chunks.length === 1 ? first : Buffer.concat(chunks)
  }
  return {
    hasHead: () => headers !== undefined,
    head() {
      headers = pick(res)
      coding = res.getHeader('Content-Encoding')
    },
    add(chunk) {
      size += chunk.length
      if (hold || size <= maxBytes) chunks.push(chunk)
      else chunks.length = 0
    },
    bytes,
    response(isComplete) {
      const body = isComplete && size <= maxBytes ? decode(bytes(), coding, maxBytes) : undefined
      return { status: res.statusCode, headers: headers ?? [], body }
    },
  }
}
