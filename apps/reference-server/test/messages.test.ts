import { describe, expect, test } from 'vitest'
import { type Call, serviceFor } from './service.ts'

const service = serviceFor()

const json = (path: string, value: unknown, more: Partial<Call> = {}): Call => {
  return { as: 'ada', method: 'POST', path, json: value, ...more }
}
const raw = (path: string, body: string, type = 'application/json', method = 'POST'): Call => {
  return { as: 'ada', method, path, body, headers: { 'content-type': type } }
}
const get = (path: string, as = 'ada', headers = {}): Call => ({ as, path, headers })

async function ask(call: Call, language = 'en') {
  const headers = { ...call.headers, 'accept-language': language }
  const { text } = await service.check({ ...call, headers }, { headers: { 'content-language': language } })
  return JSON.parse(text) as {
    status: number
    code: string
    message: string
    errors?: { pointer: string; location: string; field: string; code: string; detail: string }[]
  }
}

const grace = { name: 'Grace', department: 'Sales', salary: 1 }

describe('a message states in German what it states in English', () => {
  test.each<[Call, string, string]>([
    [get('/employees/999'), 'Employee 999 does not exist.', 'Mitarbeiter 999 gibt es nicht.'],
    [get('/employees/x'), 'Employee x does not exist.', 'Mitarbeiter x gibt es nicht.'],
    [get('/operations/x'), 'Operation x does not exist.', 'Vorgang x gibt es nicht.'],
    [
      get('/orders/3/invoice'),
      'Order 3 has no invoice in its current state (CREATED).',
      'Bestellung 3 hat im aktuellen Zustand (CREATED) kein Dokument dieser Art: Rechnung.',
    ],
    [
      json('/orders/3', { status: 'DELIVERED' }, { method: 'PATCH' }),
      'An order that is CREATED cannot become DELIVERED. Allowed: CANCELLED, and PAID by a payment.',
      'Eine Bestellung, die CREATED ist, kann nicht DELIVERED werden. Erlaubt: CANCELLED, und PAID durch eine Zahlung.',
    ],
    [
      json('/departments', { name: 'x' }, { as: 'eve' }),
      'This needs the scope departments:write.',
      'Dafür ist die Berechtigung departments:write nötig.',
    ],
    [
      { as: 'ada', method: 'PUT', path: '/employees' },
      'PUT is not supported here. Supported: GET, HEAD, OPTIONS, POST, QUERY.',
      'PUT gibt es hier nicht. Unterstützt: GET, HEAD, OPTIONS, POST, QUERY.',
    ],
    [
      get('/employees?page=abc'),
      'The parameter page must be a non-negative integer.',
      'Der Parameter page muss eine ganze Zahl ab 0 sein.',
    ],
    [
      get('/employees?name[foo]=1'),
      'The parameter name[foo] must use one of the operators eq, ne, gt, gte, lt, lte, in, contains, startsWith, exists.',
      'Der Parameter name[foo] muss einen der Operatoren eq, ne, gt, gte, lt, lte, in, contains, startsWith, exists benutzen.',
    ],
    [
      get('/employees?page=100000'),
      'The parameter page must not start after item 10000; use cursor for more.',
      'Der Parameter page darf nicht hinter Eintrag 10000 beginnen; für mehr gibt es cursor.',
    ],
    [
      get('/employees?fields=nope'),
      'The parameter fields names nope, which is not a field. Fields: id, name, department, salary, city, managerId.',
      'Der Parameter fields nennt nope, das kein Feld ist. Felder: id, name, department, salary, city, managerId.',
    ],
    [
      get('/employees?cursor=zzz'),
      'The parameter cursor must be a cursor that a page of this query has linked to.',
      'Der Parameter cursor muss ein Cursor sein, auf den eine Seite dieser Abfrage verweist.',
    ],
    [
      get('/employees', 'ada', { 'api-version': '9' }),
      'The version in API-Version does not exist. Supported versions: 1, 2.',
      'Die Version in API-Version gibt es nicht. Unterstützte Versionen: 1, 2.',
    ],
    [
      get('/v9/employees'),
      'The version in the path does not exist. Supported versions: 1, 2.',
      'Die Version in dem Pfad gibt es nicht. Unterstützte Versionen: 1, 2.',
    ],
    [
      get('/orders?customerId=abc'),
      'The parameter customerId must be an integer.',
      'Der Parameter customerId muss eine ganze Zahl sein.',
    ],
    [get('/customers?id=abc'), 'The parameter id must be an integer.', 'Der Parameter id muss eine ganze Zahl sein.'],
    [
      get('/orders?customerId=-1'),
      'The parameter customerId must be between 1 and 9223372036854775807.',
      'Der Parameter customerId muss zwischen 1 und 9223372036854775807 liegen.',
    ],
    [
      get('/orders?customerId=9223372036854775808'),
      'The parameter customerId must be between 1 and 9223372036854775807.',
      'Der Parameter customerId muss zwischen 1 und 9223372036854775807 liegen.',
    ],
    [
      json('/orders', { customerId: 'abc', items: [] }),
      '/customerId must be an integer.',
      '/customerId muss eine ganze Zahl sein.',
    ],
    [
      json('/orders', { customerId: 1, items: [{ productId: 1, quantity: 1e20 }] }),
      '/items/0/quantity must be between 1 and 999.',
      '/items/0/quantity muss zwischen 1 und 999 liegen.',
    ],
    [
      json('/employees', { ...grace, salary: 1e21 }),
      '/salary must be between 0 and 10000000.',
      '/salary muss zwischen 0 und 10000000 liegen.',
    ],
    [json('/employees', []), 'The body must be an object.', 'Der Inhalt muss ein Objekt sein.'],
    [json('/employees', { ...grace, salary: 'x' }), '/salary must be a number.', '/salary muss eine Zahl sein.'],
    [
      raw('/employees', '<order/>', 'application/xml'),
      'The body must have the root element employee, got order.',
      'Der Inhalt muss das Wurzelelement employee haben, gefunden order.',
    ],
  ])('%o', async (call, english, german) => {
    expect((await ask(call)).message).toBe(english)
    expect((await ask(call, 'de')).message).toBe(german)
  })

  test.each(['en', 'de', 'fr', 'es'])('in %s, with each type that is available', async (language) => {
    const none = await ask(get('/employees', 'ada', { accept: 'image/png' }), language)
    expect(none).toMatchObject({ status: 406, code: 'NOT_ACCEPTABLE' })
    expect(none.message).toContain('application/hal+json, ')
    const wrong = await ask(raw('/employees', 'x', 'text/plain'), language)
    expect(wrong).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
    expect(wrong.message).toMatch(/text\/plain.*application\/json, .*application\/xml/)
  })

  test('also when a failure is replayed in another language', async () => {
    const path = '/payments'
    const headers = { 'idempotency-key': 'messages-1' }
    const call = json(path, { orderId: 999, amount: { amount: '1.00', currency: 'EUR' }, method: 'CARD' }, { headers })
    expect((await ask(call)).message).toBe('/orderId names order 999, which does not exist.')
    expect((await ask(call, 'de')).message).toBe('/orderId nennt Bestellung 999; das gibt es nicht.')
  })
})

describe('all that is wrong is told at once', () => {
  test('with the names that were probably meant', async () => {
    const { message, errors } = await ask(
      get('/employees?siez=3&page=1.5&fields=nmae&embed=manger&sort=salery&cty[gt]=x'),
    )
    expect(message).toBe('The parameter page must be a non-negative integer. There are 5 more errors.')
    expect(errors?.map(({ field, detail }) => `${field} ${detail}`)).toEqual([
      'page must be a non-negative integer',
      'sort must be one of id, name, department, salary, city, managerId. Did you mean salary?',
      'fields names nmae, which is not a field. Fields: id, name, department, salary, city, managerId. Did you mean name?',
      'embed must be one of manager, department. Did you mean manager?',
      'siez does not exist. Did you mean size?',
      'cty[gt] does not exist. Did you mean city[gt]?',
    ])
  })

  test('of a QUERY, at their places in the body', async () => {
    const query = { size: 'abc', sort: ['nope'], filter: { salary: { gte: 'x' }, cty: 'Graz', name: { foo: 1 } } }
    const { status, errors } = await ask(json('/employees', query, { method: 'QUERY' }))
    expect(status).toBe(422)
    expect(errors?.map(({ location, pointer }) => `${location} ${pointer}`)).toEqual([
      'body /size',
      'body /sort',
      'body /filter/salary/gte',
      'body /filter/cty',
      'body /filter/name/foo',
    ])
    const { message } = await ask(json('/employees', { siez: 1 }, { method: 'QUERY' }))
    expect(message).toBe('/siez is not a known field. Did you mean size?')
  })

  test.each<[Call, string]>([
    [get('/employes'), 'There is nothing at this path. Did you mean /employees?'],
    [get('/v2/employees/1/project'), 'There is nothing at this path. Did you mean /employees/1/projects?'],
    [get('/nothing-like-this'), 'There is nothing at this path.'],
    [json('/employees', { ...grace, nmae: 'x' }), '/nmae is not a known field. Did you mean name?'],
  ])('%o', async (call, message) => {
    expect((await ask(call)).message).toBe(message)
  })
})

describe('an error points to the place and names what is wanted', () => {
  const product = { sku: 'A-1', name: 'A', price: { amount: '1.00', currency: 'EUR' } }

  test.each<[Call, string, string, string]>([
    [
      json('/orders', { customerId: 1, items: [{ productId: 1, quantity: 0 }] }),
      '/items/0/quantity',
      'RANGE',
      'must be between 1 and 999',
    ],
    [
      json('/orders', { customerId: 1, items: [{ productId: 1, quantity: 1, cuantity: 1 }] }),
      '/items/0/cuantity',
      'UNKNOWN',
      'is not a known field. Did you mean quantity?',
    ],
    [
      json('/products', { ...product, sku: 'a b' }),
      '/sku',
      'FORMAT',
      'must be 3 to 32 uppercase letters, digits or hyphens',
    ],
    [
      json('/products', { ...product, price: { amount: '1.001', currency: 'EUR' } }),
      '/price/amount',
      'FORMAT',
      'must have at most 2 decimals',
    ],
    [
      json('/products', { ...product, price: { amount: 'x', currency: 'EUR' } }),
      '/price/amount',
      'FORMAT',
      'must be a decimal number such as 0.00, with at most 2 decimals',
    ],
    [json('/employees', { ...grace, salary: 1.001 }), '/salary', 'FORMAT', 'must have at most 2 decimals'],
    [json('/employees', { ...grace, name: '' }), '/name', 'LENGTH', 'must not be empty'],
    [json('/employees', { ...grace, managerId: 0 }), '/managerId', 'RANGE', 'must be at least 1'],
    [
      json('/customers', { name: 'x', email: 'x' }),
      '/email',
      'FORMAT',
      'must be an email address such as ada@example.com',
    ],
    [
      json('/projects', { name: 'x', startDate: '1.2.26' }),
      '/startDate',
      'FORMAT',
      'must be a date such as 2026-11-21',
    ],
    [
      json('/projects', { name: 'x', status: 'ACTVE' }),
      '/status',
      'VALUE',
      'must be one of PLANNED, ACTIVE, COMPLETED, CANCELLED. Did you mean ACTIVE?',
    ],
    [json('/departments', { name: 'Sales' }), '/name', 'DUPLICATE_VALUE', 'is already used (department)'],
    [
      json('/employees', { ...grace, managerId: 4711 }),
      '/managerId',
      'UNKNOWN_REFERENCE',
      'names employee 4711, which does not exist',
    ],
    [
      json('/employees/1', { ...grace, id: 2 }, { method: 'PUT' }),
      '/id',
      'READ_ONLY',
      'must be the id in the path (1), or absent',
    ],
  ])('%o', async (call, pointer, code, detail) => {
    expect((await ask(call)).errors).toEqual([expect.objectContaining({ location: 'body', pointer, code, detail })])
  })

  test.each<[string, string]>([
    ['/projects?status=nope', 'must be one of PLANNED, ACTIVE, COMPLETED, CANCELLED'],
    ['/projects?startDate=1.2.26', 'must be a date such as 2026-11-21'],
    ['/employees?city=', 'must not be empty'],
    ['/employees?salary=x', 'must be a number'],
    ['/products?price=x', 'must be an amount such as 10.00 or 10.00 EUR. Currencies: EUR, USD, GBP, CHF, JPY'],
    ['/products?discontinued=yes', 'must be true or false'],
  ])('of %s: %s', async (path, detail) => {
    expect((await ask(get(path))).errors).toEqual([expect.objectContaining({ code: 'INVALID_PARAMETER', detail })])
  })

  test.each<[string, string]>([
    ['{"a": 1,}', 'The body is not valid JSON at line 1, column 9: expected a name in double quotes, got "}".'],
    ['{\n  "a" 1\n}', 'The body is not valid JSON at line 2, column 7: expected a colon, got "1".'],
    ['{"a": 1, "a": 2}', 'The body has the name "a" twice in one object: line 1, column 10.'],
    [`${'['.repeat(33)}${']'.repeat(33)}`, 'The body is nested deeper than 32 levels: line 1, column 33.'],
  ])('of the JSON %s', async (body, message) => {
    expect(await ask(raw('/employees', body))).toMatchObject({ status: 400, code: 'MALFORMED_BODY', message })
  })

  const patch = (operations: unknown): Call =>
    raw('/employees/1', JSON.stringify(operations), 'application/json-patch+json', 'PATCH')

  test.each<[unknown, number, string]>([
    [
      [
        { op: 'test', path: '/id', value: 1 },
        { op: 'test', path: '/name', value: 'x' },
      ],
      409,
      'Operation 1 (test) of the patch failed: /name has another value.',
    ],
    [[{ op: 'remove', path: '/nope' }], 409, 'Operation 0 (remove) of the patch names /nope, which does not exist.'],
    [
      [{ op: 'put', path: '/name' }],
      400,
      'Operation 0 of the patch is not one of RFC 6902. Operations: add, remove, replace, move, copy, test.',
    ],
    [[{ op: 'add', path: '/name' }], 400, 'Operation 0 (add) of the patch lacks value.'],
    [
      [{ op: 'add', path: 'name', value: 1 }],
      400,
      'Operation 0 (add) of the patch: path must be a JSON Pointer such as /name.',
    ],
    [{ name: 'x' }, 400, 'The patch must be an array of operations.'],
  ])('of the patch %j', async (operations, status, message) => {
    expect(await ask(patch(operations))).toMatchObject({ status, message })
  })
})
