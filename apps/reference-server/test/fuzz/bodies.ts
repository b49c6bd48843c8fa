import type { Random } from './random.ts'

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

const euro = (amount: string): Json => ({ amount, currency: 'EUR' })

/** Valid body of each collection, by the last noun of its path. Mutations begin with it. */
const VALID: Readonly<Record<string, Json>> = {
  employees: { name: 'Grace Hopper', department: 'Engineering', salary: 5000, city: 'Oslo', managerId: 1 },
  departments: { name: 'Fuzz', description: 'x', managerId: 1 },
  projects: { name: 'Fuzz', status: 'ACTIVE', startDate: '2026-01-01', endDate: '2026-02-01', employeeIds: [1, 2] },
  products: { sku: 'FUZZ-1', name: 'Fuzz', price: euro('1.00'), stock: 5, categoryId: 1 },
  categories: { name: 'Fuzz', parentId: 1 },
  reviews: { rating: 5, title: 'x', comment: 'y' },
  customers: { name: 'Fuzz', email: 'fuzz@example.com' },
  orders: { customerId: 1, items: [{ productId: 1, quantity: 1 }] },
  items: { productId: 1, quantity: 2 },
  payment: { method: 'CARD' },
  payments: { orderId: 3, amount: euro('1.00'), method: 'CARD', token: 'tok_1' },
  cancellation: { reason: 'changed my mind' },
  cart: { items: [{ productId: 1, quantity: 1 }] },
  users: { username: 'fuzz', email: 'fuzz@example.com', password: 'correct horse battery', roles: ['reader'] },
  accounts: { currency: 'EUR' },
  transfers: { fromAccountId: 1, toAccountId: 2, amount: euro('0.01'), reference: 'x' },
}

const ODD: readonly [Json, ...Json[]] = [
  ...([null, true, 0, -1, 1.5, 1e308, -0, 2 ** 53, '', ' ', 'x', '0', '-1', '\u0000', '\u202e', '\ud800'] as const),
  ...([
    '🦄'.repeat(60),
    'x'.repeat(5000),
    '__proto__',
    "'; drop table employees; --",
    '<script>',
    '2026-02-30',
  ] as const),
  [],
  {},
  [[]],
  [null],
  { __proto__: null, constructor: 1 },
  Array.from({ length: 300 }, () => 1),
  { amount: '1', currency: 'EUR' },
  { amount: 1, currency: 'EUR' },
  { amount: '99999999999999999.99', currency: 'X' },
  '9223372036854775807',
  '9223372036854775808',
  '9'.repeat(400),
  '1e5',
  'NaN',
  'Infinity',
]

/** A JSON text for a path: valid, or changed in some places, or no JSON at all. */
export function jsonFor(path: string, random: Random): string {
  const noun = path.split('/').findLast((segment) => segment in VALID) ?? 'employees'
  if (random.chance(0.05))
    return random.pick(['', '{', 'null', '[]', '"x"', '{"a":1,"a":2}', '\ufeff{}', '['.repeat(200)])
  let value = structuredClone<Json>(VALID[noun] ?? {})
  for (let changes = random.pick([0, 0, 1, 1, 2, 3]); changes > 0; changes--) value = changed(value, random)
  return JSON.stringify(value)
}

/** A JSON Patch, sensible or not. */
export function jsonPatch(random: Random): string {
  const names = [
    '/name',
    '/salary',
    '/items/0/quantity',
    '/items/-',
    '/x',
    '',
    '/__proto__/y',
    '/a~2b',
    '/items/01',
  ] as const
  const operations = Array.from({ length: random.whole(4) }, () => ({
    op: random.pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'paint']),
    path: random.pick(names),
    from: random.pick(names),
    value: random.pick(ODD),
  }))
  return JSON.stringify(random.chance(0.05) ? operations[0] : operations)
}

/** Returns a body for QUERY. */
export function query(random: Random): string {
  const filter = { [random.pick(['name', 'salary', 'status', 'id', '__proto__', 'x'])]: random.pick(ODD) }
  const value: Json = {
    filter,
    sort: random.pick<Json>([['name'], ['-id'], 'x', [1], []]),
    size: random.pick(ODD),
    page: 0,
  }
  return JSON.stringify(random.chance(0.5) ? { filter } : value)
}

/** XML for a path, or something like it. */
export function xml(path: string, random: Random): string {
  const name = random.pick(['employee', 'department', 'customer', 'order', 'product', 'x'])
  const value = random.pick(['1', 'Grace', '&lt;', '&x;', '<a/>', '<![CDATA[x]]>', '\u0001', '<name>', ''])
  const body = `<${name}><name>${value}</name><salary>${value}</salary><items><item>${value}</item></items></${name}>`
  return random.chance(0.1) ? `<!DOCTYPE a [<!ENTITY x "${path}">]>${body}` : body
}

const SOAP = 'http://www.w3.org/2003/05/soap-envelope'
const SOAP11 = 'http://schemas.xmlsoap.org/soap/envelope/'

/** A SOAP message for a path and its media type, half of them with mistakes. */
export function message(path: string, random: Random): [type: string, body: string] {
  const isRight = random.chance(0.5)
  const type = random.pick(['application/soap+xml; charset=utf-8', 'text/xml'])
  const envelope = isRight ? (type === 'text/xml' ? SOAP11 : SOAP) : random.pick([SOAP, SOAP11, 'urn:x'])
  const service = path.includes('Price') ? 'price' : 'customer'
  const namespace = `http://svc.example/ws/${isRight ? service : random.pick(['customer', 'price', 'x'])}/${random.pick(['v1', 'v2'])}`
  const value = isRight
    ? '1'
    : random.pick(['-1', '9223372036854775807', 'x', '', '&#1;', '<a/>', '\u0000', 'x'.repeat(3000)])
  const item = isRight ? 'Laptop' : value
  const prices = [
    `<GetPrice xmlns="${namespace}"><Item>${item}</Item><Category>Electronics</Category></GetPrice>`,
  ] as const
  const customers = [
    `<GetCustomerRequest xmlns="${namespace}"><customerId>${value}</customerId></GetCustomerRequest>`,
    `<CreateCustomerRequest xmlns="${namespace}"><customer><id>${random.whole(1e9)}</id><name>${value}</name>` +
      `<email>${value}@example.com</email></customer></CreateCustomerRequest>`,
    `<LogEventRequest xmlns="${namespace}"><event><type>t</type><timestamp>2026-01-02T03:04:05Z</timestamp>` +
      `<source>${value}</source></event></LogEventRequest>`,
    `<SendNotificationRequest xmlns="${namespace}"><message>${value}</message></SendNotificationRequest>`,
    `<constructor xmlns="${namespace}"/>`,
  ] as const
  const operation = service === 'price' && random.chance(0.8) ? random.pick(prices) : random.pick(customers)
  const header = isRight
    ? ''
    : `<e:Header><x:y xmlns:x="urn:x" e:mustUnderstand="${random.pick(['1', 'x', ''])}"/></e:Header>`
  const text = `<e:Envelope xmlns:e="${envelope}">${header}<e:Body>${operation}</e:Body></e:Envelope>`
  return [type, random.chance(0.05) ? text.slice(0, random.whole(text.length)) : text]
}

function changed(value: Json, random: Random): Json {
  if (random.chance(0.1)) return random.pick(ODD)
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.3)) return [...value, random.pick(ODD)]
    const changedIndex = random.whole(value.length)
    return value.map((item, index) => (index === changedIndex ? changed(item, random) : item))
  }
  if (value === null || typeof value !== 'object') return random.pick(ODD)
  const names = Object.keys(value)
  const name = names[random.whole(names.length)] ?? 'x'
  if (random.chance(0.2)) return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
  if (random.chance(0.15))
    return { ...value, [random.pick(['x', 'id', '_links', 'constructor', 'a b'])]: random.pick(ODD) }
  return { ...value, [name]: changed(value[name] ?? null, random) }
}
