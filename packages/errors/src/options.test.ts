import { type ErrorsOptions, errors, toProblem, toRecord, wrap } from '@svc/errors'
import { isProblem, parseRetryAfter } from '@svc/errors/client'
import { problemSchemas } from '@svc/errors/schemas'
import { describe, expect, test } from 'vitest'

describe('invalid options', () => {
  test.each<[unknown, string]>([
    [{ langauges: ['en'] }, 'errors: unknown option "langauges", did you mean "languages"?'],
    [{ html: 'yes' }, 'errors: html must be true, false or a function, got "yes"'],
    [{ problemBaseUrl: '/problems' }, 'errors: problemBaseUrl must be an absolute URI or a function, got "/problems"'],
    [{ onError: 'log' }, 'errors: onError must be a function, got "log"'],
    [{ languages: [] }, 'errors: languages must be a list of language tags or a function, got an array'],
    [{ languages: 'en' }, 'errors: languages must be a list of language tags or a function, got "en"'],
    [{ strictRecord: 1 }, 'errors: strictRecord must be true or false, got 1'],
  ])('rejects %j', (options, message) => {
    expect(() => errors(options as ErrorsOptions)).toThrow(new TypeError(message))
  })
})

describe('missing arguments', () => {
  test.each<[unknown, unknown[], string]>([
    [toRecord, [new Error('x')], 'errors: toRecord: path must be a string, got undefined'],
    [toRecord, [new Error('x'), { path: 5 }], 'errors: toRecord: path must be a string, got 5'],
    [toProblem, [new Error('x')], 'errors: toProblem: path must be a string, got undefined'],
    [wrap, [], 'errors: wrap: handler must be a function, got undefined'],
    [isProblem, [], 'errors: isProblem: response must have headers of Fetch, got undefined'],
    [parseRetryAfter, [5], 'errors: parseRetryAfter: value must be a string, got 5'],
    [problemSchemas, [], 'errors: catalog must be from defineProblems(), got undefined'],
  ])('of %o: %j', (call, args, message) => {
    expect(() => (call as (...args: unknown[]) => unknown)(...args)).toThrow(new TypeError(message))
  })
})
