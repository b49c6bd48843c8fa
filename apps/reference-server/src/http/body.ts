import type { IncomingMessage, ServerResponse } from 'node:http'
import { decodeBody } from '@svc/negotiate/decode'
import type { MaybePromise } from '@svc/ratelimit'
import { failure } from '../messages/errors.ts'
import { checkDigests } from './digest.ts'

const MAX_BYTES = 1024 * 1024
const MAX_DECODED_BYTES = 4 * MAX_BYTES
const EMPTY = Buffer.alloc(0)

/** Reads the whole body and decodes it. Rejects a body that is too large (413), incomplete or corrupt (400). */
export function readBody(req: IncomingMessage, res: ServerResponse): MaybePromise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': transferEncoding, expect } = req.headers
  if (transferEncoding === undefined && (length === undefined || length === '0')) {
    checkDigests(req, EMPTY)
    return EMPTY
  }
  if (Number(length ?? 0) > MAX_BYTES) throw tooLarge()
  if (expect !== undefined) res.writeContinue()
  return readAndDecode(req)
}

async function readAndDecode(req: IncomingMessage): Promise<Buffer> {
  const bytes = await readBytes(req)
  checkDigests(req, bytes)
  const encoding = req.headers['content-encoding']
  return encoding === undefined
    ? bytes
    : Buffer.from(await decodeBody(bytes, encoding, { maxBytes: MAX_DECODED_BYTES }))
}

function readBytes(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const stop = (): void => void req.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut)
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= MAX_BYTES) return
      stop()
      // The error handler reads the rest within bounds.
      req.resume()
      reject(tooLarge())
    }
    const onEnd = (): void => {
      stop()
      resolve(Buffer.concat(chunks, size))
    }
    const onCut = (): void => {
      stop()
      reject(failure('BODY_INCOMPLETE'))
    }
    if (req.destroyed) onCut()
    else req.on('data', onData).once('end', onEnd).once('error', onCut).once('close', onCut)
  })
}

function tooLarge(): Error {
  return failure('BODY_TOO_LARGE.limit', { maxBytes: MAX_BYTES })
}
