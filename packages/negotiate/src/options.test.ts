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
import { etagFromContent, etagFromVersion } from '@svc/negotiate/etags'
import {
  acceptHeaders,
  mergeVary,
  parseAccept,
  parseAcceptList,
  parseETag,
  parseETags,
  parseHttpDate,
  parseMediaType,
  splitList,
} from '@svc/negotiate/headers'
import { prepareRepresentation } from '@svc/negotiate/prepared'
import { chooseVariant, matchesExtendedLanguageRange, matchesLanguageRange } from '@svc/negotiate/variants'
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
    [
      checkBodyHeaders,
      [REQUEST, { types: 'a/b' }],
      'negotiate: checkBodyHeaders: types must be an array of strings, got "a/b"',
    ],
    [
      checkBodyHeaders,
      [REQUEST, { types: ['a/b'], encoding: ['gzip'] }],
      'negotiate: checkBodyHeaders: unknown option "encoding", did you mean "encodings"?',
    ],
    [
      checkBodyHeaders,
      [REQUEST, { types: ['a/b'], charsets: 'utf-8' }],
      'negotiate: checkBodyHeaders: charsets must be an array of strings, got "utf-8"',
    ],
    [
      checkPreconditions,
      [REQUEST, { etag: 'abc' }],
      'negotiate: checkPreconditions: etag must be an ETag in quotes, got "abc"',
    ],
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
    [checkBodyHeaders, [REQUEST], 'negotiate: checkBodyHeaders: types must be an array of strings, got undefined'],
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

describe('arguments of a wrong type', () => {
  test.each<[unknown, unknown[], string]>([
    [parseAccept, [null], 'negotiate: parseAccept: header must be a string, got null'],
    [parseAcceptList, [5], 'negotiate: parseAcceptList: header must be a string, got 5'],
    [parseETag, [], 'negotiate: parseETag: value must be a string, got undefined'],
    [parseETags, [{}], 'negotiate: parseETags: header must be a string, got an object'],
    [parseHttpDate, [null], 'negotiate: parseHttpDate: text must be a string, got null'],
    [parseMediaType, [], 'negotiate: parseMediaType: text must be a string, got undefined'],
    [splitList, [['a']], 'negotiate: splitList: value must be a string, got an array'],
    [mergeVary, [], 'negotiate: mergeVary: current must be a string, got undefined'],
    [acceptHeaders, [], 'negotiate: acceptHeaders: types must be an object, got undefined'],
    [matchesLanguageRange, ['de'], 'negotiate: matchesLanguageRange: tag must be a string, got undefined'],
    [acceptHeaders, [{ POST: 'a/b' }], 'negotiate: acceptHeaders: POST must be an array of strings, got "a/b"'],
    [
      matchesExtendedLanguageRange,
      [],
      'negotiate: matchesExtendedLanguageRange: range must be a string, got undefined',
    ],
    [etagFromContent, [{}], 'negotiate: etagFromContent: content must be a string or bytes, got an object'],
    [
      etagFromVersion,
      [1, { encoding: 'a"b' }],
      'negotiate: encoding must be a content encoding such as gzip, got "a\\"b"',
    ],
    [checkPreconditions, [], 'negotiate: checkPreconditions: req must be a request, got undefined'],
  ])('of %o: %j', (fn, args, message) => {
    expect(() => call(fn, ...args)).toThrow(new TypeError(message))
  })
})
