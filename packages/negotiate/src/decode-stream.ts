import { Readable, type Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import type { HttpErrorLike } from '../../internal/http-error.ts'
import { inspectValue } from '../../internal/options.ts'
import { MAX_LAYERS, parseContentEncoding } from './content-encoding.ts'
import { createNegotiateError, unsupportedEncoding } from './errors.ts'

/** How much a body may hold once it is decoded. */
export interface DecodeLimits {
  /** Bytes of the decoded body. */
  maxBytes: number
  /** How many times larger than the coded body it may become, once it is over 16 KiB. @defaultValue 100 */
  maxRatio?: number
}

/** A stream that decodes, and counts the bytes that belonged to the coded body. */
type Decoder = Transform & zlib.Zlib

const FREE_BYTES = 16_384
const MAX_RATIO = 100
const MAX_WINDOW = 23 // log2 of 8 MiB (RFC 9659)
/** A decoder fills buffers of this size, wherever the coded body is cut. */
const CHUNK_BYTES = 16_384
const OPTIONS = { chunkSize: CHUNK_BYTES }

const DECODERS: ReadonlyMap<string, () => Decoder> = new Map<string, () => Decoder>([
  ['gzip', () => zlib.createGunzip(OPTIONS)],
  ['deflate', () => zlib.createInflate(OPTIONS)],
  ['br', () => zlib.createBrotliDecompress(OPTIONS)],
  ...(typeof zlib.createZstdDecompress === 'function' ? ([['zstd', zstdDecoder]] as const) : []),
])

/** The content codings that this Node can decode. */
export const DECODABLE: readonly string[] = [...DECODERS.keys()]

/**
 * Decodes a body while it arrives: `decodeStream(req, req.headers['content-encoding'], { maxBytes })`. Who reads slowly
 * slows the client down. The stream fails with what is to be handed to `next`: 413 when the body becomes larger than
 * the limits allow, 400 when it is damaged, cut, or followed by anything else, 415 for a coding that `acceptBody` would
 * have refused. The rest of the source is then read and dropped, since a client hears no answer before it has spoken.
 */
export function decodeStream(source: Readable, contentEncoding: string | undefined, limits: DecodeLimits): Readable {
  refuseNoLimit('maxBytes', limits.maxBytes)
  refuseNoLimit('maxRatio', limits.maxRatio ?? MAX_RATIO)
  const layers = parseContentEncoding(contentEncoding).reverse()
  const makers = layers.map((coding) => DECODERS.get(coding)).filter((make) => make !== undefined)
  if (layers.length > MAX_LAYERS || makers.length < layers.length)
    return failing(source, unsupportedEncoding(DECODABLE))
  if (source.destroyed && !source.readableEnded) return failing(source, damaged())

  const input = { bytes: 0 }
  const decoded = makers.reduce<AsyncIterable<Buffer>>(
    (coded, make) => decode(coded, make(), input, limits),
    readSource(source, input, makers.length > 0 ? Number.POSITIVE_INFINITY : limits.maxBytes),
  )
  // Errors of the source reach the reader by its iterator. What nobody reads any more is dropped.
  source.on('error', () => {})
  const stream = Readable.from(decoded, { objectMode: false, highWaterMark: CHUNK_BYTES })
  return stream.once('close', () => source.resume())
}

// `bytes > NaN` is always false, so a NaN limit would disable the check.
function refuseNoLimit(name: string, value: number): void {
  if (!(value >= 0))
    throw new TypeError(`negotiate: decodeStream: ${name} must be a non-negative number, got ${inspectValue(value)}`)
}

function failing(source: Readable, error: HttpErrorLike): Readable {
  source.resume()
  return new Readable({
    read() {
      this.destroy(error)
    },
  })
}

/** Reads the source in pieces, and counts its bytes. */
async function* readSource(source: Readable, input: { bytes: number }, maxBytes: number): AsyncGenerator<Buffer> {
  let isTooLarge = false
  try {
    for await (const piece of source.iterator({ destroyOnReturn: false })) {
      input.bytes += piece.length
      isTooLarge = input.bytes > maxBytes
      if (isTooLarge) break
      for (let start = 0; start < piece.length; start += CHUNK_BYTES) yield piece.subarray(start, start + CHUNK_BYTES)
    }
  } catch (cause) {
    throw damaged(cause as Error)
  }
  if (isTooLarge) throw tooLarge(maxBytes)
}

/**
 * Decodes one layer. Each piece is decoded to its end before the next one is read, and what it became is handed out
 * before any failure: the outcome depends on the bytes, not on how fast or in which pieces they come.
 */
async function* decode(
  coded: AsyncIterable<Buffer>,
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
  decoder.on('error', (cause) => fail(damaged(cause)))
  decoder.on('data', (chunk: Buffer) => {
    if (failure) return
    total += chunk.length
    // How much input made a full buffer is a fact of the bytes; how much made a part of one is not.
    const isFull = total % CHUNK_BYTES === 0
    const limit = isFull ? Math.min(maxBytes, Math.max(FREE_BYTES, decoder.bytesWritten * maxRatio)) : maxBytes
    if (total > limit) fail(tooLarge(limit))
    else decoded.push(chunk)
  })
  let resume = (): void => {}
  decoder.on('close', () => resume())
  // A decoder that fails calls nobody back, it closes.
  const until = (start: (done: () => void) => void): Promise<void> =>
    new Promise((resolve) => {
      resume = resolve
      if (decoder.closed) resolve()
      else start(() => resolve())
    })
  const take = (): Buffer[] => {
    const chunks = decoded
    decoded = []
    return chunks
  }
  try {
    for await (const piece of coded) {
      fed += piece.length
      await until((done) => decoder.write(piece, done))
      yield* take()
      if (failure) throw failure
      if (decoder.bytesWritten < fed) throw damaged()
    }
    await until(() => decoder.end())
    yield* take()
    if (failure) throw failure
    const limit = Math.max(FREE_BYTES, input.bytes * maxRatio)
    if (total > limit) throw tooLarge(limit)
  } finally {
    decoder.destroy()
  }
}

function zstdDecoder(): Decoder {
  return zlib.createZstdDecompress({ ...OPTIONS, params: { [zlib.constants.ZSTD_d_windowLogMax]: MAX_WINDOW } })
}

function tooLarge(maxBytes: number): HttpErrorLike {
  const message = `The body is larger than ${maxBytes} bytes when decoded.`
  return createNegotiateError({ status: 413, code: 'ERR_NEGOTIATE_BODY_TOO_LARGE', message, params: { maxBytes } })
}

function damaged(cause?: Error): HttpErrorLike {
  const message = 'The body is damaged: its Content-Encoding cannot be decoded.'
  return createNegotiateError({ status: 400, code: 'ERR_NEGOTIATE_BODY_CORRUPT', message, ...(cause && { cause }) })
}
