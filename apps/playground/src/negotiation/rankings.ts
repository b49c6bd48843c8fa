import * as zlib from 'node:zlib'
import { rankEncodings, rankLanguages, rankMediaTypes } from '@svc/negotiate/variants'
import { createFormats, languages } from '../../../reference-server/src/index.ts'
import type { PreferenceHeaders } from './preferences.ts'

/** An offer of the service with the weight that a client gives it. */
export interface Choice {
  value: string
  q: number
  explicit: boolean
  /** The range of the client's header that decided. */
  range: string | undefined
}

/** The offers of the service, the one that the client prefers first. */
export interface Rankings {
  types: readonly Choice[]
  languages: readonly Choice[]
  encodings: readonly Choice[]
}

const PAGE_TYPES = createFormats().typesFor('page')

/** Ranks the formats, languages and encodings of a page of a collection. */
export function rankOffers(preferences: PreferenceHeaders): Rankings {
  const source = { headers: Object.fromEntries(Object.entries(preferences).filter(([, value]) => value !== '')) }
  return {
    types: rankMediaTypes(source, PAGE_TYPES),
    languages: rankLanguages(source, languages),
    encodings: rankEncodings(source, ENCODINGS),
  }
}

const SAMPLE = Buffer.from(
  JSON.stringify({
    items: Array.from({ length: 100 }, (_, id) => ({ id, name: `Employee ${id}`, department: 'Sales' })),
  }),
)

const QUALITY = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }

const encoders: Readonly<Record<string, () => Buffer>> = {
  br: () => zlib.brotliCompressSync(SAMPLE, QUALITY),
  ...(typeof zlib.zstdCompressSync === 'function' && { zstd: () => zlib.zstdCompressSync(SAMPLE) }),
  gzip: () => zlib.gzipSync(SAMPLE),
  deflate: () => zlib.deflateSync(SAMPLE),
}

const ENCODINGS = Object.keys(encoders)

/** Returns the size of the same document in an encoding. */
export function measureEncoding(encoding: string): number {
  return (encoders[encoding]?.() ?? SAMPLE).length
}
