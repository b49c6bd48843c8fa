import * as zlib from 'node:zlib'
import { rankEncodings, rankLanguages, rankMediaTypes } from '@svc/negotiate/variants'
import { createFormats, languages } from '../../../reference-server/src/index.ts'
import type { Wishes } from './wishes.ts'

/** An offer of the service with the weight that a client gives it. */
export interface Choice {
  value: string
  q: number
  explicit: boolean
  /** The range of the client's field that decided. */
  range: string | undefined
}

/** What the service offers, the offer that a client likes best first. */
export interface Rankings {
  types: readonly Choice[]
  languages: readonly Choice[]
  codings: readonly Choice[]
}

const PAGE_TYPES = createFormats().typesFor('page')

/** Ranks formats, languages and codings of a page of a collection. */
export function rankingsOf(wishes: Wishes): Rankings {
  const source = { headers: Object.fromEntries(Object.entries(wishes).filter(([, value]) => value !== '')) }
  return {
    types: rankMediaTypes(source, PAGE_TYPES),
    languages: rankLanguages(source, languages),
    codings: rankEncodings(source, CODINGS),
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

const CODINGS = Object.keys(encoders)

/** What the same document takes in a coding. */
export function bytesIn(coding: string): number {
  return (encoders[coding]?.() ?? SAMPLE).length
}
