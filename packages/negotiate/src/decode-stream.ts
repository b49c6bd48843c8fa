import { Readable } from 'node:stream'
import type { HttpErrorLike } from '../../internal/http-error.ts'
import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import { CHUNK_BYTES, DECODABLE, DECODERS, type Decoder } from './decoders.ts'
import { MAX_LAYERS, parseContentEncoding } from './encodings.ts'
import { createEncodingError, createNegotiateError } from './errors.ts'

/** Limits for `decodeBody()` and `decodeStream()`. */
export interface DecodeLimits {
  /** Maximum bytes of the decoded body. */
  maxBytes: number
  /** Maximum ratio of the decoded to the encoded size, checked above 16 KiB. @defaultValue 100 */
  maxRatio?: number
}

const FREE_BYTES = 16_384
const MAX_RATIO = 100

/**
 * Decodes a body while it arrives:
 * `decodeStream(req, req.headers['content-encoding'], { maxBytes })`. A slow reader slows the
 * client down. The stream fails with an error for `next`: 413 if the body exceeds the limits, 400
 * if it is corrupt, truncated, or followed by other bytes, and 415 for an encoding that
 * `checkBodyHeaders` rejects. The rest of the source is then read and discarded, since many clients
 * read the response only after sending the whole body.
 */
export function decodeStream(source: Readable, contentEncoding: string | undefined, limits: DecodeLimits): Readable {
  assertLimits('negotiate: decodeStream', limits)
  const layers = parseContentEncoding(contentEncoding).reverse()
  const factories = layers.map((encoding) => DECODERS.get(encoding)).filter((create) => create !== undefined)
  if (layers.length > MAX_LAYERS || factories.length < layers.length)
    return createFailedStream(source, createEncodingError(DECODABLE))
  if (source.destroyed && !source.readableEnded) return createFailedStream(source, createCorruptError())

  const last = factories.length - 1
  // A small body may be larger in the encoding between two layers.
  const layerLimits = { ...limits, maxBytes: limits.maxBytes + FREE_BYTES }
  const input = { bytes: 0 }
  const decoded = factories.reduce<AsyncIterable<Buffer>>(
    (encoded, create, index) => decode(encoded, create(), input, index === last ? limits : layerLimits),
    readSource(source, input, factories.length > 0 ? Number.POSITIVE_INFINITY : limits.maxBytes),
  )
  // Errors of the source reach the reader through its iterator. Later ones have no reader and are
  // ignored.
  source.on('error', () => {})
  const stream = Readable.from(decoded, { objectMode: false, highWaterMark: CHUNK_BYTES })
  return stream.once('close', () => source.resume())
}

// `bytes > NaN` is always false, so a NaN limit would disable the check.
export function assertLimits(owner: string, limits: DecodeLimits): void {
  assertKnownOptions(owner, limits, ['maxBytes', 'maxRatio'])
  const { maxBytes, maxRatio = MAX_RATIO } = limits
  for (const [name, value] of Object.entries({ maxBytes, maxRatio }))
    if (typeof value !== 'number' || !(value >= 0))
      throw new TypeError(`${owner}: ${name} must be a non-negative number, got ${inspectValue(value)}`)
}

function createFailedStream(source: Readable, error: HttpErrorLike): Readable {
  source.resume()
  return new Readable({
    read() {
      this.destroy(error)
    },
  })
}

/** Reads the source in small chunks, and counts its bytes. */
async function* readSource(source: Readable, input: { bytes: number }, maxBytes: number): AsyncGenerator<Buffer> {
  let isTooLarge = false
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      input.bytes += chunk.length
      isTooLarge = input.bytes > maxBytes
      if (isTooLarge) break
      for (let start = 0; start < chunk.length; start += CHUNK_BYTES) yield chunk.subarray(start, start + CHUNK_BYTES)
    }
  } catch (cause) {
    throw createCorruptError(cause as Error)
  }
  if (isTooLarge) throw createSizeError(maxBytes)
}

/**
 * Decodes one layer. Each chunk is decoded completely before the next one is read, and its result
 * is passed on before any error: the outcome depends on the bytes, not on their timing or on how
 * they are split.
 */
async function* decode(
  encoded: AsyncIterable<Buffer>,
  decoder: Decoder,
  input: { readonly bytes: number },
  { maxBytes, maxRatio = MAX_RATIO }: DecodeLimits,
): AsyncGenerator<Buffer> {
  let decoded: Buffer[] = []
  let failure: HttpErrorLike | undefined
  let total = 0
  let fed = 0
  const fail = (reason: HttpErrorLike): void => {
    failure ??= reason
    decoder.destroy()
  }
  decoder.on('error', (cause) => fail(createCorruptError(cause)))
  decoder.on('data', (chunk: Buffer) => {
    if (failure) return
    total += chunk.length
    // The ratio is only checked for full buffers: how much input produced a partial one depends on
    // timing.
    const isFull = total % CHUNK_BYTES === 0
    const limit = isFull ? Math.min(maxBytes, Math.max(FREE_BYTES, decoder.bytesWritten * maxRatio)) : maxBytes
    if (total > limit) fail(createSizeError(limit))
    else decoded.push(chunk)
  })
  let resume = (): void => {}
  decoder.on('close', () => resume())
  // A decoder that fails does not call back; it closes.
  const until = (start: (done: () => void) => void): Promise<void> =>
    new Promise((resolve) => {
      resume = resolve
      if (decoder.closed) resolve()
      else start(() => resolve())
    })
  const takeDecoded = (): Buffer[] => {
    const chunks = decoded
    decoded = []
    return chunks
  }
  try {
    for await (const chunk of encoded) {
      fed += chunk.length
      await until((done) => decoder.write(chunk, done))
      yield* takeDecoded()
      if (failure) throw failure
      if (decoder.bytesWritten < fed) throw createCorruptError()
    }
    await until(() => decoder.end())
    yield* takeDecoded()
    if (failure) throw failure
    const limit = Math.max(FREE_BYTES, input.bytes * maxRatio)
    if (total > limit) throw createSizeError(limit)
  } finally {
    decoder.destroy()
  }
}

function createSizeError(maxBytes: number): HttpErrorLike {
  const message = `The decoded body is larger than ${maxBytes} bytes.`
  return createNegotiateError({ status: 413, code: 'ERR_NEGOTIATE_BODY_TOO_LARGE', message, params: { maxBytes } })
}

function createCorruptError(cause?: Error): HttpErrorLike {
  const message = 'The body is corrupt. It cannot be decoded by its Content-Encoding.'
  return createNegotiateError({ status: 400, code: 'ERR_NEGOTIATE_BODY_CORRUPT', message, ...(cause && { cause }) })
}
