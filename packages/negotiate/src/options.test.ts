import { Readable } from 'node:stream'
import {
  checkBodyHeaders,
  checkPreconditions,
  compress,
  conditionalRequests,
  mediaType,
  negotiate,
  offers,
  sendRepresentation,
} from '@svc/negotiate'
import { decodeBody, decodeStream } from '@svc/negotiate/decode'
import { prepareRepresentation } from '@svc/negotiate/prepared'
import { chooseVariant } from '@svc/negotiate/variants'
import { describe, expect, test } from 'vitest'

// Calls as JavaScript allows them.
const call = (fn: unknown, ...args: unknown[]) => (fn as (...args: unknown[]) => unknown)(...args)
const REQUEST = { method: 'PUT', headers: {} }

describe('options of a wrong type', () => {
  test.each<[unknown, unknown[], string]>([
    [negotiate, [{ conditional: 'no' }], 'negotiate: conditional must be true or false, got "no"'],
    [negotiate, [{ encodings: 'br' }], 'negotiate: encodings must be an array of strings, got "br"'],
    [
      negotiate,
      [{ onRefused: 'jsn' }],
      "negotiate: onRefused must be one of 'next', 'json', or a function, got \"jsn\", did you mean 'json'?",
    ],
    [compress, [{ shouldCompress: true }], 'negotiate: compress: shouldCompress must be a function, got true'],
    [
      conditionalRequests,
      [{ currentState: {} }],
      'negotiate: conditionalRequests: currentState must be a function, got an object',
    ],
    [
      conditionalRequests,
      [{ requirePrecondition: 1 }],
      'negotiate: conditionalRequests: requirePrecondition must be true or false, got 1',
    ],
    [
      offers,
      [['a/b'], { tieBreaker: 'cilent' }],
      "must be one of 'server', 'client', got \"cilent\", did you mean 'client'?",
    ],
    [offers, [['a/b'], { tie: 'client' }], 'negotiate: offers: unknown option "tie", did you mean "tieBreaker"?'],
    [mediaType, ['*/*', ['a/b'], { strict: 'yes' }], 'negotiate: mediaType: strict must be true or false, got "yes"'],
    [
      mediaType,
      ['*/*', ['a/b'], { ignoreParameters: 'charset' }],
      'negotiate: mediaType: ignoreParameters must be an array of strings, got "charset"',
    ],
    [
      checkPreconditions,
      [REQUEST, { version: 1 }, { require: true }],
      'negotiate: checkPreconditions: unknown option "require", did you mean "required"?',
    ],
    [
      checkPreconditions,
      [REQUEST, { version: 1 }, { required: 'yes' }],
      'negotiate: checkPreconditions: required must be true or false, got "yes"',
    ],
    [checkBodyHeaders, [REQUEST, { types: 'a/b' }], 'negotiate: checkBodyHeaders: types must be an array, got "a/b"'],
    [decodeStream, [Readable.from([]), 'gzip', {}], 'negotiate: decodeStream: maxBytes must be a non-negative number'],
  ])('%o', (fn, args, message) => {
    expect(() => call(fn, ...args)).toThrow(TypeError)
    expect(() => call(fn, ...args)).toThrow(message)
  })
})

describe('missing arguments', () => {
  const missing = 'negotiate: offers must be an array of strings or from offers(), got undefined'
  test.each<[unknown, unknown[], string]>([
    [offers, [], missing],
    [mediaType, ['*/*'], missing],
    [chooseVariant, [REQUEST], 'negotiate: chooseVariant: options must be an object, got undefined'],
    [checkBodyHeaders, [REQUEST], 'negotiate: checkBodyHeaders: types must be an array, got undefined'],
    [
      sendRepresentation,
      [REQUEST, {}],
      'negotiate: sendRepresentation: representation must be an object, got undefined',
    ],
    [prepareRepresentation, [], 'negotiate: prepareRepresentation: representation must be an object, got undefined'],
    [decodeStream, [Readable.from([])], 'negotiate: decodeStream: options must be an object, got undefined'],
  ])('%o', (fn, args, message) => {
    expect(() => call(fn, ...args)).toThrow(new TypeError(message))
  })

  test('decodeBody() never runs without a limit', async () => {
    for (const limits of [undefined, {}, { maxBytes: Number.NaN }])
      await expect(call(decodeBody, new Uint8Array(9), undefined, limits)).rejects.toThrow('negotiate: decodeBody: ')
  })
})
