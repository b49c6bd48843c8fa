import { finished, pipeline, Readable, Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import type { HttpErrorLike } from '../../internal/http-error.ts'
import { inspectValue } from '../../internal/options.ts'
import { codingsOf, MAX_LAYERS } from './content-encoding.ts'
import { refusal, unsupportedCoding } from './refusal.ts'

/** How much a body may hold once it is decoded. */
export interface DecodeLimits {
  /** Bytes of the decoded body. */
  maxBytes: number
  /** How many times larger than the coded body it may become, once it is over 16 KiB. @defaultValue 100 */
  maxRatio?: number
}

/** A stream that decodes, and counts the bytes which belonged to the coded body. */
type Decoder = Transform & zlib.Zlib

const FREE_BYTES = 16_384
const MAX_RATIO = 100
const MAX_WINDOW = 23 // log2 of 8 MiB (RFC 9659)

const DECODERS: ReadonlyMap<string, () => Decoder> = new Map<string, () => Decoder>([
  ['gzip', () => zlib.createGunzip()],
  ['deflate', () => zlib.createInflate()],
  ['br', () => zlib.createBrotliDecompress()],
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
  const layers = codingsOf(contentEncoding).reverse()
  const makers = layers.map((coding) => DECODERS.get(coding)).filter((make) => make !== undefined)
  if (layers.length > MAX_LAYERS || makers.length < layers.length) return failing(source, unsupportedCoding(DECODABLE))
  if (source.destroyed && !source.readableEnded) return failing(source, damaged())

  const decoders = makers.map((make) => make())
  const meters = metersFor(decoders, limits)
  const [first, last] = [meters[0] as Transform, meters.at(-1) as Transform]
  const fail = (cause?: Error): void => void last.destroy(damaged(cause))
  for (const decoder of decoders) decoder.on('error', fail)
  const stages = [first, ...decoders.flatMap((decoder, at) => [decoder, meters[at + 1] as Transform])]
  if (stages.length > 1) pipeline(stages, () => {})
  finished(last, () => {
    source.unpipe(first)
    source.resume()
  })
  source.on('error', fail).on('close', () => (source.readableEnded ? undefined : fail()))
  source.pipe(first)
  return last
}

// Nothing is more than NaN: a limit that is none would let everything pass.
function refuseNoLimit(name: string, value: number): void {
  if (!(value >= 0)) throw new TypeError(`decodeStream: ${name} must be a number from 0, got ${inspectValue(value)}`)
}

function failing(source: Readable, error: HttpErrorLike): Readable {
  source.resume()
  return new Readable({
    read() {
      this.destroy(error)
    },
  })
}

/** What stands before, between and behind the decoders: counts what passes, and holds the decoded to its limits. */
function metersFor(decoders: readonly Decoder[], { maxBytes, maxRatio = MAX_RATIO }: DecodeLimits): Transform[] {
  const passed = [0, ...decoders.map(() => 0)]
  const limitAt = (at: number): number => {
    if (at === 0) return decoders.length > 0 ? Number.POSITIVE_INFINITY : maxBytes
    return Math.min(maxBytes, Math.max(FREE_BYTES, (passed[0] ?? 0) * maxRatio))
  }
  return passed.map((_, at) => {
    const decoder = decoders[at - 1]
    return new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const bytes = (passed[at] ?? 0) + chunk.length
        passed[at] = bytes
        if (bytes > limitAt(at)) done(tooLarge(limitAt(at)))
        else done(null, chunk)
      },
      // A decoder ends where its body ends, and says nothing of what comes after it.
      flush(done) {
        done(decoder && decoder.bytesWritten < (passed[at - 1] ?? 0) ? damaged() : null)
      },
    })
  })
}

function zstdDecoder(): Decoder {
  return zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: MAX_WINDOW } })
}

function tooLarge(maxBytes: number): HttpErrorLike {
  const message = `The body is larger than ${maxBytes} bytes when decoded.`
  return refusal({ status: 413, code: 'ERR_NEGOTIATE_BODY_TOO_LARGE', message, params: { maxBytes } })
}

function damaged(cause?: Error): HttpErrorLike {
  const message = 'The body is damaged: its Content-Encoding cannot be decoded.'
  return refusal({ status: 400, code: 'ERR_NEGOTIATE_BODY_DAMAGED', message, ...(cause && { cause }) })
}
