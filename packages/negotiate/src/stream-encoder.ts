import type { Transform } from 'node:stream'
import { constants } from 'node:zlib'
import type { BodyEnd, DownstreamResponse } from '../../internal/intercept-response.ts'
import type { ServerResponse } from '../../internal/middleware.ts'
import { type CodecOptions, type ContentEncoding, getCodec } from './codecs.ts'

/** Compresses a response while it is written. */
export interface StreamEncoder {
  /** Returns false if the app should wait for `drain` of the response. */
  write(chunk: Buffer): boolean
  end(last: BodyEnd): void
  /** Sends what has been written so far. */
  flush(): void
}

const FLUSH: Record<ContentEncoding, number> = {
  gzip: constants.Z_SYNC_FLUSH,
  deflate: constants.Z_SYNC_FLUSH,
  br: constants.BROTLI_OPERATION_FLUSH,
  zstd: constants.ZSTD_e_flush,
}

/**
 * Creates an encoder that writes into the rest of a response. With `isLive`, every chunk is sent
 * immediately, as events require.
 */
export function streamEncoder(
  encoding: ContentEncoding,
  res: ServerResponse,
  downstream: DownstreamResponse,
  isLive: boolean,
  codecOptions?: CodecOptions,
): StreamEncoder {
  const encoder = getCodec(encoding).encoder(codecOptions)
  const flush = (): void => encoder.flush(FLUSH[encoding])
  encoder.on('data', (compressed: Buffer) => {
    if (!downstream.write(compressed)) encoder.pause()
  })
  encoder.once('end', () => downstream.end())
  encoder.once('error', (error) => res.destroy(error))
  relayDrain(res, encoder)
  // A client that has left emits no other `close`, and the encoder would keep its buffers.
  if (res.destroyed) encoder.destroy()
  else res.once('close', () => encoder.destroy())
  return {
    write(chunk) {
      const isReady = encoder.write(chunk)
      if (isLive) flush()
      return isReady
    },
    end: (last) => void encoder.end(last),
    flush,
  }
}

/**
 * The app waits for `drain` of the response, but writes into the encoder. A response whose socket
 * has drained while the encoder is still full is not ready for the app.
 */
function relayDrain(res: ServerResponse, encoder: Transform): void {
  const { emit } = res
  encoder.on('drain', () => emit.call(res, 'drain'))
  const emitUnlessFull = (event: string | symbol, ...args: unknown[]): boolean => {
    if (event !== 'drain') return emit.call(res, event, ...args)
    if (encoder.isPaused() && !res.writableNeedDrain) encoder.resume()
    return !encoder.writableNeedDrain && emit.call(res, 'drain')
  }
  res.emit = emitUnlessFull as typeof res.emit // not the function itself: see internal/intercept-response.ts
}
