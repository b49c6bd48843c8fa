import { type ErrorsOptions, errors } from '@svc/errors'
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
