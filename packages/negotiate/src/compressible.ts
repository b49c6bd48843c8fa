import { memoize } from '../../internal/memoize.ts'

const COMPRESSIBLE = new Set([
  'application/javascript',
  'application/json',
  'application/manifest+json',
  'application/rtf',
  'application/sql',
  'application/toml',
  'application/vnd.ms-fontobject',
  'application/wasm',
  'application/x-javascript',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/yaml',
  'font/otf',
  'font/ttf',
  'image/bmp',
  'image/svg+xml',
  'image/vnd.microsoft.icon',
  'image/x-icon',
])
// The last three are not registered; vendor types of text have them, such as
// application/vnd.acme.v1+csv.
const SUFFIXES = ['+json', '+xml', '+yaml', '+text', '+html', '+csv', '+plain']

/** Returns a media type without its parameters, in lower case. */
export function toEssence(type: string): string {
  const end = type.indexOf(';')
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase()
}

/**
 * Whether bytes of this type get smaller. Images, videos, archives and PDF are already compressed.
 */
export const isCompressible: (type: string) => boolean = memoize((type: string) => {
  const essence = toEssence(type)
  if (essence.startsWith('text/') || COMPRESSIBLE.has(essence)) return true
  return SUFFIXES.some((suffix) => essence.endsWith(suffix))
})
