import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { record, serviceFor } from './service.ts'

const service = serviceFor()

const grace = { name: 'Grace Hopper', department: 'Engineering', salary: 5000 }

test.each([
  ['application/json', 'application/json; charset=utf-8', /^\{"id":1,/],
  ['application/hal+json', 'application/hal+json', /"_links":\{"self":\{"href":"\/employees\/1"\}/],
  ['application/prs.hal-forms+json', 'application/prs.hal-forms+json', /"_templates":\{"default":\{"method":"PUT"/],
  ['application/xml', 'application/xml; charset=utf-8', /<employee><id>1<\/id><name>/],
  ['text/csv', 'text/csv; charset=utf-8; header=present', /^id,name,department,salary,city,managerId\r\n1,/],
  ['text/plain', 'text/plain; charset=utf-8', /^id: 1\nname: /],
  ['application/vnd.svc.v1+json', 'application/vnd.svc.v1+json; charset=utf-8', /"salary":\d+/],
  ['application/vnd.svc.v2+json', 'application/vnd.svc.v2+json; charset=utf-8', /"salary":\{"amount":"/],
  ['text/csv;q=0.5, application/xml;q=0.9', 'application/xml; charset=utf-8', /^<\?xml/],
  ['*/*', 'application/json; charset=utf-8', /^\{/],
])('answers %s with %s', async (accept, type, body) => {
  const expected = { status: 200, headers: { 'content-type': type, vary: /\bAccept\b/ }, body }
  await service.check({ as: 'ada', path: '/employees/1', headers: { accept } }, expected)
})

test.each([
  ['application/json', /^\{"items":\[\{"id":1,/],
  ['application/hal+json', /^\{"_embedded":\{"employees":\[\{"id":1,/],
  ['application/prs.hal-forms+json', /"_templates":\{"default":\{"method":"POST"/],
  ['application/xml', /<employees><employee><id>1<\/id>.*<page><number>0<\/number>/s],
  ['text/csv', /^id,name,.*\r\n1,.*\r\n2,/],
  ['text/plain', /^page 0 of 69, 137 in all\n/],
])('writes a page as %s', async (accept, body) => {
  await service.check({ as: 'ada', path: '/employees?size=2', headers: { accept } }, { status: 200, body })
})

test('answers 406 with what there is', async () => {
  const expected = { status: 406, body: record(406, 'NOT_ACCEPTABLE', '/employees/1') }
  const answer = await service.check({ as: 'ada', path: '/employees/1', headers: { accept: 'image/webp' } }, expected)
  expect(answer.text).toContain('application/hal+json')
})

test('reads XML with the types of the fields', async () => {
  const body = '<employee><name>Ada &amp; Co</name><department>Sales</department><salary>12.5</salary></employee>'
  const headers = { 'content-type': 'application/xml', accept: 'application/xml' }
  const answer = await service.check({ as: 'ada', method: 'POST', path: '/employees', headers, body }, { status: 201 })
  expect(answer.text).toContain('<name>Ada &amp; Co</name><department>Sales</department><salary>12.5</salary>')
})

test.each([
  ['no XML', '<employee>'],
  ['another root', '<person/>'],
  ['an element twice', '<employee><name>a</name><name>b</name></employee>'],
  ['a document type', '<!DOCTYPE employee [<!ENTITY x "y">]><employee><name>&x;</name></employee>'],
  [
    'too many levels',
    `${'<a>'.repeat(40)}${'</a>'.repeat(40)}`.replace('<a>', '<employee>').replace(/<\/a>$/, '</employee>'),
  ],
])('refuses XML with %s', async (_title, body) => {
  const headers = { 'content-type': 'application/xml' }
  const expected = { status: 400, body: record(400, 'MALFORMED_BODY', '/employees') }
  await service.check({ as: 'ada', method: 'POST', path: '/employees', headers, body }, expected)
})

const amount = '<amount>1.00</amount><currency>EUR</currency>'
const accounts = '<fromAccountId>6</fromAccountId><toAccountId>7</toAccountId>'
const transfer = (content: string) => `<transfer>${accounts}${content}</transfer>`
const line = '<productId>2</productId><quantity>1</quantity>'
const order = (items: string) => `<order><customerId>1</customerId><items>${items}</items></order>`

test.each([
  ['an element of an object twice', transfer(`<amount>${amount}<amount>2.00</amount></amount>`), '', 'has the element'],
  ['an element of an item twice', order(`<item>${line}<quantity>2</quantity></item>`), '', 'has the element'],
  ['an item of another name', order(`<item>${line}</item><itme>${line}</itme>`), '/items/itme', 'is not a known field'],
  ['text in an object', transfer(`<amount>2.00${amount}</amount>`), '/amount', 'must be an object'],
  ['text in a list', order(`junk<item>${line}</item>`), '/items', 'must be an array'],
  ['text instead of items', order('2'), '/items', 'must be an array'],
  ['text in an item', order(`<item>${line}junk</item>`), '/items/0', 'must be an object'],
  ['text in the root', transfer('junk'), '', 'must be an object'],
])('rejects XML with %s', async (title, body, pointer, message) => {
  const headers = { 'content-type': 'application/xml', 'idempotency-key': title.replaceAll(' ', '-') }
  const call = { as: 'ada', method: 'POST', path: body.startsWith('<order>') ? '/orders' : '/transfers', headers, body }
  const { errors, ...error } = JSON.parse((await service.check(call, { status: 400 })).text)
  expect(error.message).toContain(message)
  expect(errors?.[0].pointer ?? '').toBe(pointer)
})

test('ignores repeated elements in what only responses have', async () => {
  const headers = { 'content-type': 'application/xml' }
  const body = '<department><name>Links</name><_links><item/><item/></_links><_embedded>x<a/></_embedded></department>'
  await service.check({ as: 'ada', method: 'POST', path: '/departments', headers, body }, { status: 201 })
})

test.each(['/employees/1', '/v2/employees/1', '/projects/1', '/users/1', '/orders/3', '/cart'])(
  'accepts the XML of %s as it was sent',
  async (path) => {
    const headers = { accept: 'application/xml', 'content-type': 'application/xml' }
    const { text } = await service.check({ as: 'ada', path, headers }, { status: 200 })
    await service.check({ as: 'ada', method: 'PUT', path, headers, body: text }, { status: 200, body: text })
  },
)

test.each([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
  ['zstd', zstdDecompressSync],
])('compresses by %s', async (coding, decompress) => {
  const plain = await service.check({ as: 'ada', path: '/employees' }, { status: 200 })
  const headers = { 'accept-encoding': coding }
  const coded = await service.check(
    { as: 'ada', path: '/employees', headers },
    { headers: { 'content-encoding': coding } },
  )
  expect(decompress(coded.body).toString()).toBe(plain.text)
  expect(coded.headers['etag']).not.toBe(plain.headers['etag'])
})

test('writes booleans in a table as in XML', async () => {
  for (const discontinued of [true, false]) {
    const json = {
      sku: `CSV-${discontinued}`.toUpperCase(),
      name: 'x',
      price: { amount: '1.00', currency: 'EUR' },
      stock: 0,
      discontinued,
    }
    const created = await service.check({ as: 'ada', method: 'POST', path: '/products', json }, { status: 201 })
    const path = `${created.headers['location']}?fields=discontinued`
    const body = `discontinued\r\n${discontinued}\r\n`
    await service.check({ as: 'ada', path, headers: { accept: 'text/csv' } }, { status: 200, body })
  }
})

test('guards spreadsheets against formulas', async () => {
  const evil = { ...grace, name: '=cmd|1', city: 'a "b", c' }
  const created = await service.check({ as: 'ada', method: 'POST', path: '/employees', json: evil }, { status: 201 })
  const path = created.headers['location'] ?? ''
  const answer = await service.check({ as: 'ada', path, headers: { accept: 'text/csv' } }, { status: 200 })
  expect(answer.text).toMatch(/,'=cmd\|1,Engineering,5000,"a ""b"", c",\r\n$/)
})

test('keeps a line break within its cell', async () => {
  const review = { rating: 5, comment: 'one\n=1+1\rthree' }
  const post = { as: 'carl', method: 'POST', path: '/products/7/reviews', json: review }
  const created = await service.check(post, { status: 201 })
  const path = `${created.headers['location']}?fields=comment`
  const body = 'comment\r\n"one\n=1+1\rthree"\r\n'
  await service.check({ path, headers: { accept: 'text/csv' } }, { status: 200, body })
})

test('writes a record for each item, although its only value is absent', async () => {
  const call = { as: 'ada', path: '/employees?fields=managerId&size=3', headers: { accept: 'text/csv' } }
  await service.check(call, { status: 200, body: /^managerId\r\n""\r\n(?:(?:""|\d+)\r\n){2}$/ })
})

test('names the columns of a table without rows', async () => {
  const call = { as: 'ada', path: '/v2/employees?name=x-y-z', headers: { accept: 'text/csv' } }
  const body = 'id,name,department.id,department.name,salary,city,managerId\r\n'
  await service.check(call, { status: 200, body })
})

test('numbers no page that a cursor leads to', async () => {
  const call = { as: 'ada', path: '/employees?cursor=&size=5', headers: { accept: 'text/plain' } }
  const { text } = await service.check(call, { status: 200 })
  expect(text).toMatch(/^page of \d+, \d+ in all\n/)
})
