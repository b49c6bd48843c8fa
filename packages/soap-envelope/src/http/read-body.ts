import { Readable } from 'node:stream'
import { takeBody } from '../../../internal/drain-request.ts'
import { createHttpError } from '../../../internal/http-error.ts'
import type { MaybePromise } from '../../../internal/maybe-promise.ts'
import type { IncomingMessage } from '../../../internal/middleware.ts'
import { tooLarge } from '../envelope/parse.ts'
import { senderFault } from '../fault.ts'
import { decompress } from '../inflate.ts'
import { isMultipart } from '../mime/packaging.ts'
import type { SoapRequest } from '../service/request.ts'
import type { SoapService } from '../service/service.ts'

/** Bodies of a known length up to here are collected before they are read. */
const SHORT_BYTES = 65_536

/** Boundaries and headers of the parts of a multipart message. */
const MAX_FRAMING_BYTES = 1_048_576

// node:http has read the body in the same packet when the tick is over.
const PARSED = Promise.resolve()

/**
 * Returns the message: bytes that a body parser has read or that are there already, or the stream.
 */
export function readBody(req: IncomingMessage, service: SoapService): MaybePromise<SoapRequest['body']> {
  const { rawBody, body } = req as { rawBody?: unknown; body?: unknown }
  const read = getBytes(rawBody) ?? getBytes(body)
  if (read) return isStillCompressed(req, read) ? decompressed(req, read) : read
  const { 'content-length': announced, 'content-encoding': coding } = req.headers
  const length = Number(announced)
  if (length > service.limits.maxBytes) checkLength(req, length, service)
  if (req.readableEnded)
    throw createHttpError({
      status: 500,
      code: 'ERR_SOAP_ENVELOPE_BODY_CONSUMED',
      message:
        'A body parser has read the message and kept no bytes: mount the service before it, or use express.raw().',
    })
  if (!(length <= SHORT_BYTES) || coding !== undefined) return decompressed(req, req)
  return takeBody(req, length) ?? PARSED.then(() => takeBody(req, length) ?? collect(req))
}

function getBytes(read: unknown): Uint8Array | undefined {
  if (typeof read === 'string') return Buffer.from(read)
  return read instanceof Uint8Array ? read : undefined
}

function checkLength(
  req: IncomingMessage,
  length: number,
  { limits, attachments, maxStreamBytes = 0 }: SoapService,
): void {
  const packed = attachments && isMultipart(req.headers['content-type'])
  const more = packed ? attachments.maxTotalBytes + MAX_FRAMING_BYTES : 0
  const maxBytes = Math.max(limits.maxBytes, maxStreamBytes) + more
  if (length > maxBytes) throw tooLarge(maxBytes)
}

/**
 * Collects a body of a known, short length. Costs a third of what an async iterator over it does.
 */
function collect(req: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const fail = (cause?: unknown): void => {
      // `close` also follows a body that is complete.
      if (!req.readableEnded) reject(senderFault('MalformedXml', 'The message ended early.', { cause }))
    }
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    req.on('error', fail)
    req.once('close', fail)
    req.resume()
  })
}

function decompressed(req: IncomingMessage, source: Readable | Uint8Array): AsyncIterable<Uint8Array> {
  return decompress(source instanceof Readable ? source : Readable.from([source]), req.headers['content-encoding'])
}

/**
 * Parsers decompress what they read; a platform that passes the bytes on as they came does not.
 * XML never begins like gzip.
 */
function isStillCompressed(req: IncomingMessage, read: Uint8Array): boolean {
  return req.headers['content-encoding'] !== undefined && read[0] === 0x1f && read[1] === 0x8b
}
