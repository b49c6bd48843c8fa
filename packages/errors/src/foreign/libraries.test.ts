import { classify } from '@svc/errors'
import { CelebrateError, celebrate, Modes, Segments } from 'celebrate'
import { DrizzleQueryError } from 'drizzle-orm'
import express from 'express'
import { expressjwt } from 'express-jwt'
import Joi from 'joi'
import jwt from 'jsonwebtoken'
import mongoose from 'mongoose'
import multer from 'multer'
import { afterEach, describe, expect, test } from 'vitest'
import * as yup from 'yup'
import { listen, type RunningHost } from '../../../internal/testing/hosts.ts'

async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    return error
  }
  throw new Error('it threw nothing')
}

let running: RunningHost | undefined
afterEach(() => running?.close())

/** Returns the error that a middleware of Express passes to `next` for a request. */
async function passedBy(middleware: express.RequestHandler, init: RequestInit, path = '/'): Promise<unknown> {
  const app = express()
  const { promise, resolve } = Promise.withResolvers<unknown>()
  app.use(express.json())
  app.all('/{:id}', middleware, (_req, res) => void res.end())
  app.use(((error: unknown, _req, res, _next) => {
    resolve(error)
    res.status(500).end()
  }) as express.ErrorRequestHandler)
  running = await listen(app)
  await fetch(running.url + path, init).then((response) => response.arrayBuffer())
  return promise
}

describe('multer', () => {
  function form(parts: Record<string, string>, file?: string): FormData {
    const data = new FormData()
    for (const [name, value] of Object.entries(parts)) data.append(name, value)
    if (file !== undefined) data.append(file, new Blob(['x'.repeat(100)]), 'canary.txt')
    return data
  }
  const limited = (limits: object): express.RequestHandler => multer({ limits }).single('photo')

  test.each<[string, object, FormData, number, string]>([
    ['a file that is too large', { fileSize: 10 }, form({}, 'photo'), 413, 'BODY_TOO_LARGE'],
    ['too many fields', { fields: 1 }, form({ a: '1', b: '2' }), 413, 'BODY_TOO_LARGE'],
    ['too many parts', { parts: 1 }, form({ a: '1', b: '2' }), 413, 'BODY_TOO_LARGE'],
    ['a field that is too long', { fieldSize: 3 }, form({ a: 'canary' }), 413, 'BODY_TOO_LARGE'],
    ['a field with a name that is too long', { fieldNameSize: 3 }, form({ canary: '1' }), 413, 'BODY_TOO_LARGE'],
    ['a file that is not expected', {}, form({}, 'avatar'), 400, 'VALIDATION_FAILED'],
  ])('%s', async (_name, limits, body, status, code) => {
    const classification = classify(await passedBy(limited(limits), { method: 'POST', body }))
    expect(classification).toMatchObject({ status, code })
    expect(JSON.stringify(classification)).not.toContain('canary')
  })

  test('names the field of an unexpected file', async () => {
    const { errors } = classify(await passedBy(limited({}), { method: 'POST', body: form({}, 'avatar') }))
    expect(errors).toMatchObject([{ pointer: '/avatar', location: 'body', code: 'UNKNOWN' }])
  })

  test.each([
    ['no boundary', 'multipart/form-data', 'canary'],
    [
      'a form that ends early',
      'multipart/form-data; boundary=a',
      '--a\r\nContent-Disposition: form-data; name="b"\r\n\r\n',
    ],
    [
      'a part without a name',
      'multipart/form-data; boundary=a',
      '--a\r\nContent-Disposition: form-data\r\n\r\nx\r\n--a--\r\n',
    ],
  ])('%s', async (_name, type, body) => {
    const error = await passedBy(limited({}), { method: 'POST', body, headers: { 'content-type': type } })
    expect(classify(error)).toMatchObject({ status: 400, code: 'MALFORMED_BODY' })
  })
})

const joiSchema = Joi.object({
  name: Joi.string().required(),
  age: Joi.number().min(3),
  word: Joi.string().pattern(/^x/),
  mail: Joi.string().email(),
  short: Joi.string().max(2),
  one: Joi.valid('a', 'b'),
  items: Joi.array().items(Joi.object({ quantity: Joi.number() })),
})
const INVALID_BODY = {
  age: 1,
  word: 'canary',
  mail: 'canary',
  short: 'canary',
  one: 'canary',
  items: [{ quantity: 'canary' }],
  other: 1,
}
const ENTRIES = [
  { pointer: '/name', code: 'REQUIRED', detail: 'is required' },
  { pointer: '/age', code: 'RANGE', detail: 'must be greater than or equal to 3' },
  { pointer: '/word', code: 'FORMAT', detail: 'has the wrong format' },
  { pointer: '/mail', code: 'FORMAT', detail: 'must be a valid email' },
  { pointer: '/short', code: 'LENGTH' },
  { pointer: '/one', code: 'INVALID' },
  { pointer: '/items/0/quantity', field: 'items[0].quantity', code: 'TYPE', detail: 'must be a number' },
  { pointer: '/other', code: 'UNKNOWN', detail: 'is not known' },
]

test('Joi: returns an entry for each problem, without the values', () => {
  const classification = classify(joiSchema.validate(INVALID_BODY, { abortEarly: false }).error)
  expect(classification).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
  expect(classification.errors).toHaveLength(ENTRIES.length)
  for (const entry of ENTRIES) expect(classification.errors).toContainEqual(expect.objectContaining(entry))
  expect(JSON.stringify(classification)).not.toContain('canary')
})

test.each<[string, Joi.CustomValidator, string]>([
  ['its own', () => raise(new Error('must be even')), 'failed custom validation because must be even'],
  ['that of JSON.parse', (value: string) => JSON.parse(value), 'is not valid'],
  ['that of a driver', () => raise(Object.assign(new Error('canary'), { code: '08006' })), 'is not valid'],
])('Joi: shows the message of a custom rule if it is %s', (_whose, rule, detail) => {
  const { error } = Joi.object({ a: Joi.string().custom(rule) }).validate({ a: 'my-canary-text' })
  expect(classify(error).errors).toMatchObject([{ pointer: '/a', code: 'INVALID', detail }])
})

test('Joi: removes a number that a message quotes', () => {
  const schema = Joi.object({ a: Joi.number().max(10).messages({ 'number.max': 'not {#value}' }) })
  expect(classify(schema.validate({ a: 4711 }).error).errors).toMatchObject([{ detail: 'is out of range' }])
})

test('Joi: an array without a text is invalid input, not an internal error', () => {
  const schema = Joi.object({ tags: Joi.array().max(0) })
  const { error } = schema.validate(JSON.parse('{"tags":[{"toString":1}]}'))
  expect(classify(error)).toMatchObject({ status: 400, errors: [{ pointer: '/tags', code: 'LENGTH' }] })
})

test('celebrate: returns the part of the request of each entry', async () => {
  const middleware = celebrate(
    {
      [Segments.PARAMS]: Joi.object({ id: Joi.number() }),
      [Segments.QUERY]: Joi.object({ page: Joi.number() }),
      [Segments.HEADERS]: Joi.object({ 'x-a': Joi.required() }).unknown(),
      [Segments.BODY]: Joi.object({ name: Joi.string().required() }),
    },
    {},
    { mode: Modes.FULL },
  )
  const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
  const error = await passedBy(middleware, init, '/canary?page=canary')
  expect(error).toBeInstanceOf(CelebrateError)
  expect(classify(error)).toMatchObject({
    status: 400,
    code: 'VALIDATION_FAILED',
    errors: [
      { location: 'header', field: 'x-a', code: 'REQUIRED' },
      { location: 'path', field: 'id', code: 'TYPE' },
      { location: 'query', field: 'page', code: 'TYPE' },
      { location: 'body', field: 'name', code: 'REQUIRED' },
    ],
  })
})

const DETAILS = [{ message: 'canary', path: ['a'], type: 'any.required' }]

test.each<[string, object]>([
  ['a list that says nothing of Joi', { details: DETAILS }],
  ['a text', { isJoi: true, details: 'canary' }],
  ['a Map of something else', { details: new Map([['body', { isJoi: false }]]) }],
  ['a Map of lists that say nothing of Joi', { details: new Map([['body', { details: DETAILS }]]) }],
  ['a Map of texts', { details: new Map([['body', { isJoi: true, details: 'canary' }]]) }],
])('an error with %s as its details is not from Joi or celebrate', (_what, members) => {
  expect(classify(Object.assign(new Error('x'), members))).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' })
})

test('yup: returns an entry for each problem, without the values', async () => {
  const schema = yup
    .object({
      name: yup.string().required(),
      age: yup.number().min(3),
      word: yup.string().matches(/^x/),
      mail: yup.string().email(),
      short: yup.string().max(2),
      one: yup.string().oneOf(['a', 'b']),
      items: yup.array(yup.object({ quantity: yup.number() })),
    })
    .noUnknown()
  const classification = classify(
    await thrownBy(() => schema.validate(INVALID_BODY, { abortEarly: false, strict: true })),
  )
  expect(classification).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
  expect(classification.errors).toHaveLength(ENTRIES.length)
  for (const { pointer, code } of ENTRIES) {
    expect(classification.errors).toContainEqual(expect.objectContaining({ pointer, code }))
  }
  expect(classification.errors?.find(({ field }) => field === 'age')?.detail).toBe('must be greater than or equal to 3')
  expect(JSON.stringify(classification)).not.toContain('canary')
})

test('yup: returns the place of the only problem', async () => {
  const schema = yup.object({ age: yup.number().min(3), name: yup.string() })
  const classification = classify(await thrownBy(() => schema.validate({ age: 1 }, { abortEarly: false })))
  expect(classification.errors).toMatchObject([{ pointer: '/age', code: 'RANGE' }])
})

test('yup: returns one entry if it stops at the first problem, and parses quoted keys', async () => {
  const schema = yup.object({ 'a.b': yup.object({ when: yup.date().required() }) })
  const classification = classify(await thrownBy(() => schema.validate({ 'a.b': { when: 'canary' } })))
  expect(classification.errors).toMatchObject([{ pointer: '/a.b/when', code: 'TYPE', detail: 'must be of type date' }])
})

describe('jsonwebtoken', () => {
  const sign = (claims: object, options: jwt.SignOptions = {}): string => jwt.sign(claims, 'secret', options)
  test.each<[string, () => unknown]>([
    ['has expired', () => jwt.verify(sign({ exp: 1 }), 'secret')],
    ['is not valid yet', () => jwt.verify(sign({ nbf: 4e9 }), 'secret')],
    ['is not a token', () => jwt.verify('canary', 'secret')],
    ['has another signature', () => jwt.verify(sign({}), 'other')],
    ['has another audience', () => jwt.verify(sign({}, { audience: 'canary' }), 'secret', { audience: 'us' })],
    ['has another algorithm', () => jwt.verify(sign({}), 'secret', { algorithms: ['HS512'] })],
  ])('a token that %s is 401', async (_name, verify) => {
    const classification = classify(await thrownBy(verify))
    expect(classification).toMatchObject({
      status: 401,
      code: 'INVALID_TOKEN',
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    })
    expect(JSON.stringify(classification)).not.toContain('canary')
  })

  test('a call without a key is 500', async () => {
    expect(classify(await thrownBy(() => jwt.verify(sign({}), ''))).status).toBe(500)
    expect(classify(await thrownBy(() => jwt.verify(sign({}), 'secret', { maxAge: 'canary' as never }))).status).toBe(
      500,
    )
  })
})

describe('express-jwt', () => {
  const check = expressjwt({
    secret: 'secret',
    algorithms: ['HS256'],
    isRevoked: (_req, token) => token?.payload.sub === '1',
  })
  test.each<[string, Record<string, string>, string]>([
    ['no credentials', {}, 'Bearer'],
    ['another scheme', { authorization: 'Basic x' }, 'Bearer'],
    ['a malformed field', { authorization: 'Bearer' }, 'Bearer'],
    ['a token that is not valid', { authorization: 'Bearer canary' }, 'Bearer error="invalid_token"'],
    [
      'a revoked token',
      { authorization: `Bearer ${jwt.sign({ sub: '1' }, 'secret')}` },
      'Bearer error="invalid_token"',
    ],
  ])('%s is 401 with the challenge of RFC 6750 §3', async (_name, headers, challenge) => {
    const error = await passedBy(check as express.RequestHandler, { headers })
    expect(classify(error)).toMatchObject({ status: 401, headers: { 'WWW-Authenticate': challenge } })
  })
})

describe('mongoose and MongoDB', () => {
  const Person = mongoose.model(
    'Person',
    new mongoose.Schema({
      name: { type: String, required: true },
      age: { type: Number, min: 3, max: 9 },
      old: { type: Number, max: 9 },
      word: { type: String, match: /^x/ },
      short: { type: String, maxlength: 2 },
      long: { type: String, minlength: 20 },
      one: { type: String, enum: ['a', 'b'] },
      pin: { type: Number, validate: () => false },
      tags: { type: [String], validate: () => false },
      born: { type: Date, validate: { validator: () => false, message: 'no {VALUE}' } },
      own: {
        type: String,
        validate: { validator: () => false, message: ({ value }: { value: unknown }) => `no ${value}` },
      },
      items: [{ quantity: Number }],
    }),
  )

  test('an invalid document is 400 with an entry for each path', async () => {
    const own = { own: 'canary', pin: 4711, tags: ['canary', 'b'], born: new Date(0) }
    const body = { ...INVALID_BODY, old: 11, long: 'canary', ...own }
    const classification = classify(await thrownBy(() => new Person(body).validate()))
    expect(classification).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(classification.errors?.map(({ pointer, code, detail }) => [pointer, code, detail]).sort()).toEqual([
      ['/age', 'RANGE', 'must be at least 3'],
      ['/born', 'INVALID', 'is not valid'],
      ['/items/0/quantity', 'TYPE', 'must be of type Number'],
      ['/long', 'LENGTH', 'must have at least 20 characters'],
      ['/name', 'REQUIRED', 'is required'],
      ['/old', 'RANGE', 'must be at most 9'],
      ['/one', 'INVALID', 'must be one of a, b'],
      ['/own', 'INVALID', 'is not valid'],
      ['/pin', 'INVALID', 'is not valid'],
      ['/short', 'LENGTH', 'must have at most 2 characters'],
      ['/tags', 'INVALID', 'is not valid'],
      ['/word', 'FORMAT', 'does not match the required pattern'],
    ])
    expect(JSON.stringify(classification)).not.toContain('canary')
  })

  test.each<[string, () => unknown, number, string]>([
    ['an id that cannot be cast', () => Person.findById('canary').exec(), 400, 'VALIDATION_FAILED'],
    ['a filter that cannot be cast', () => Person.find({ age: 'canary' } as never).exec(), 400, 'VALIDATION_FAILED'],
    [
      'a document that does not exist',
      () => Promise.reject(new mongoose.Error.DocumentNotFoundError({ a: 'canary' } as never)),
      404,
      'NOT_FOUND',
    ],
    [
      'a document that somebody else changed',
      () => Promise.reject(new mongoose.Error.VersionError(new Person(), 1, ['canary'])),
      409,
      'CONFLICT',
    ],
    ['a duplicate key', () => Promise.reject(serverError(11000)), 409, 'DUPLICATE_VALUE'],
    ['a document that its collection rejects', () => Promise.reject(serverError(121)), 422, 'BUSINESS_RULE'],
    ['a write conflict', () => Promise.reject(serverError(112)), 503, 'SERVICE_UNAVAILABLE'],
    ['a command that does not exist', () => Promise.reject(serverError(59)), 500, 'INTERNAL_ERROR'],
    [
      'a network error',
      () => Promise.reject(new mongoose.mongo.MongoNetworkError('canary')),
      503,
      'SERVICE_UNAVAILABLE',
    ],
  ])('%s', async (_name, call, status, code) => {
    const classification = classify(await thrownBy(call))
    expect(classification).toMatchObject({ status, code })
    expect(JSON.stringify(classification)).not.toContain('canary')
  })

  test('an unreachable server is 503', async () => {
    const client = new mongoose.mongo.MongoClient('mongodb://127.0.0.1:1/', { serverSelectionTimeoutMS: 50 })
    expect(classify(await thrownBy(() => client.connect())).status).toBe(503)
    await client.close()
  })

  test('an operation that waited for a connection is 503', async () => {
    const connection = mongoose.createConnection()
    const Waiting = connection.model('Waiting', new mongoose.Schema({}, { bufferTimeoutMS: 1 }))
    expect(classify(await thrownBy(() => Waiting.findOne().exec())).status).toBe(503)
    await connection.close()
  })

  function serverError(code: number): Error {
    return new mongoose.mongo.MongoServerError({ message: 'E canary', code, keyValue: { name: 'canary' } })
  }
})

test('a ValidationError of an unsupported library is 500', () => {
  expect(classify(Object.assign(new Error('x'), { name: 'ValidationError', errors: {} })).status).toBe(500)
})

test('keeps a status that the app sets on an error of a library', () => {
  const { error } = joiSchema.validate({})
  expect(classify(Object.assign(error as Error, { status: 422 }))).toMatchObject({ status: 422, code: 'BUSINESS_RULE' })
})

test('Drizzle: classifies by the error of the driver', () => {
  const cause = Object.assign(new Error('canary'), { code: '23505', severity: 'ERROR' })
  const classification = classify(new DrizzleQueryError('insert canary', ['canary'], cause))
  expect(classification).toMatchObject({ status: 409, code: 'DUPLICATE_VALUE' })
  expect(JSON.stringify(classification)).not.toContain('canary')
  expect(classify(new DrizzleQueryError('insert', [])).status).toBe(500)
})

function raise(error: Error): never {
  throw error
}
