import type { RecognizedError } from '../classification.ts'
import { isErrorStatus } from '../status.ts'

const MALFORMED = { code: 'MALFORMED_BODY', message: 'The body of the request could not be parsed.' }

const UNSUPPORTED_ENCODING = {
  status: 415,
  code: 'UNSUPPORTED_ENCODING',
  message: 'The encoding of the body is not supported.',
}

// The types of errors of body-parser and raw-body. Their messages quote the body.
const TYPES = new Map<unknown, RecognizedError>([
  ['entity.parse.failed', { status: 400, ...MALFORMED }],
  ['entity.too.large', { status: 413, code: 'BODY_TOO_LARGE' }],
  ['entity.verify.failed', { status: 403 }],
  ['encoding.unsupported', { ...UNSUPPORTED_ENCODING, headers: { 'Accept-Encoding': 'gzip, deflate' } }],
  [
    'charset.unsupported',
    { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message: 'The charset of the body is not supported.' },
  ],
  ['parameters.too.many', { status: 413, code: 'BODY_TOO_LARGE', message: 'The body has too many parameters.' }],
  ['querystring.parse.rangeError', { status: 400, ...MALFORMED }],
  ['request.aborted', { status: 400, ...MALFORMED, message: 'The body of the request ended early.' }],
  [
    'request.size.invalid',
    { status: 400, ...MALFORMED, message: 'The length of the body differs from its Content-Length.' },
  ],
])

/**
 * Recognizes errors of body-parser by their `type`. A corrupt encoding is an error of zlib with
 * status 400.
 */
export function fromBodyParser(error: object): RecognizedError | undefined {
  const { type, status, code, message } = error as Partial<Record<string, unknown>>
  if (status === 400 && typeof code === 'string' && isZlibCode(code)) return { status, ...MALFORMED }
  // With `inflate: false`, none is supported.
  if (status === 415 && message === 'content encoding unsupported')
    return { ...UNSUPPORTED_ENCODING, headers: { 'Accept-Encoding': 'identity' } }
  return isErrorStatus(status) ? TYPES.get(type) : undefined
}

function isZlibCode(code: string): boolean {
  return code.startsWith('Z_') || code.startsWith('ZSTD_') || code.startsWith('ERR__ERROR_')
}
