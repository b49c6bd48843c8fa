import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { senderFault } from './fault.ts'

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/**
 * Decompresses a message in chunks, so that a size limit applies to the decompressed bytes. Throws
 * a fault 415 for an unknown encoding, and for several of them. If the stream is corrupt, the
 * iteration ends with a fault.
 */
export function decompress(source: Readable, encoding: string | undefined): AsyncIterable<Uint8Array> {
  const name = encoding?.trim().toLowerCase() ?? ''
  // Leaving the loop early must not destroy the request: its socket still has to carry the fault.
  if (name === '' || name === 'identity') return source.iterator({ destroyOnReturn: false })
  const create = DECODERS.get(name)
  if (!create)
    throw senderFault('UnsupportedMediaType', 'Content-Encoding must be gzip, deflate or br.', {
      status: 415,
      httpStatus: 415,
      headers: { 'Accept-Encoding': 'gzip, deflate, br' },
    })
  return inflate(source, create())
}

async function* inflate(source: Readable, decoder: Transform): AsyncIterable<Uint8Array> {
  // Without a listener, the error of a corrupt stream or of a client that disconnected would end
  // the process.
  source.once('error', (error) => decoder.destroy(error))
  source.once('close', () => {
    if (!source.readableEnded) decoder.destroy(new Error('the request was aborted'))
  })
  decoder.on('error', () => {})
  source.pipe(decoder)
  try {
    for await (const chunk of decoder) yield chunk
  } catch (error) {
    throw senderFault('MalformedXml', 'The compressed message is corrupt.', { cause: error })
  } finally {
    source.unpipe(decoder)
    decoder.destroy()
  }
}
