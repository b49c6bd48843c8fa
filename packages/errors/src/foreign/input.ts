import type { RecognizedError } from '../classification.ts'

/** Recognizes errors of Node.js and of parsers that only the input of a client can cause. */
export function fromInput(error: object): RecognizedError | undefined {
  const { name, code, message, stack } = error as Partial<Record<string, unknown>>
  if (name === 'URIError') {
    return { status: 400, code: 'MALFORMED_URI', message: 'The address has a malformed percent-encoding.' }
  }
  // zlib, if a body exceeds maxOutputLength.
  if (name === 'RangeError' && code === 'ERR_BUFFER_TOO_LARGE') {
    return { status: 413, code: 'BODY_TOO_LARGE', message: 'The decoded body is too large.' }
  }
  // saxes throws plain errors ("3:7: unclosed tag: b."). Their position and stack identify them.
  if (typeof message === 'string' && /^\d+:\d+: /.test(message) && /\bSaxesParser\b/.test(String(stack))) {
    return { status: 400, code: 'MALFORMED_BODY', message: 'The body is not well-formed XML.' }
  }
  return undefined
}
