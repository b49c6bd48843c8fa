import type { HttpError } from '@svc/errors'
import { CODES, type Code } from './codes.ts'
import { badParameter, type FailureKey, failure, invalid, type ProblemKey } from './errors.ts'
import { formatMessage, message, messageKeys, type Params } from './messages.ts'
import samples from './samples.json' with { type: 'json' }

/** A value for each parameter of the messages. */
const params = samples.params as Params

const pointers: Readonly<Partial<Record<Code, string>>> = samples.pointers

/** Creates an error with this code, by default from the first message that begins with the code. */
export function createExample(code: Code): HttpError {
  if (code === 'VALIDATION_FAILED') return invalid(400, code, [{ pointer: '/name', key: 'REQUIRED.field' }])
  if (code === 'BUSINESS_RULE')
    return invalid(422, code, [{ pointer: '/salary', key: 'RANGE.between', params: { min: 0, max: 10_000_000 } }])
  if (code === 'INVALID_PARAMETER') return badParameter('size', 'INVALID_PARAMETER.least', { min: 1 })
  if (code === 'UNKNOWN_PARAMETER')
    return badParameter('siez', 'UNKNOWN_PARAMETER.name', undefined, message('headline.near', { near: 'size' }))
  const key = messageKeys.find((name) => name.startsWith(`${code}.`)) ?? code
  const isSentence = /[.?]$/.test(formatMessage(message(key, params), 'en'))
  if (isSentence) return failure(key as FailureKey, params)
  const status = CODES[code].status === 409 ? 409 : 422
  return invalid(status, code, [{ pointer: pointers[code] ?? '', key: key as ProblemKey, params }])
}
