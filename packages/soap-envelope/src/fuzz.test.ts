import { parseEnvelope, SoapFault } from '@svc/soap-envelope'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOrder, envelope, getCustomer, SHOP, shop, shopService } from './testing/shop.ts'

const echo = {
  string: ' <&>\r日😀',
  long: 1n,
  int: 2,
  unsignedByte: 3,
  decimal: '4.50',
  double: 5e5,
  boolean: true,
  dateTime: '2026-11-21T07:30:00Z',
  base64: new Uint8Array([6]),
  nillable: null,
  optional: 'o',
  list: ['a', 'b'],
  party: { $type: 'Customer', id: 7n, name: 'n', email: 'e' },
  left: 'l',
  '@flag': true,
  tree: { label: 'x', tree: [{ label: 'y', tree: [] }] },
}
const messages = [
  envelope(getCustomer(), '<h xmlns="urn:h" env:role="urn:r" env:mustUnderstand="0"><!-- c --></h>'),
  envelope(shop.schema.encode({ uri: SHOP, local: 'EchoRequest' }, echo)),
  envelope(shop.schema.encode({ uri: SHOP, local: 'ListOrdersResponse' }, { order: [createOrder(1), createOrder(2)] })),
].map((text) => Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`))

const bits = fc.constantFrom(
  '<',
  '>',
  '</',
  '/>',
  '&',
  ';',
  '"',
  "'",
  '=',
  ' ',
  '\r',
  '\0',
  '\u00e9',
  '&#0;',
  '&#xD800;',
  '&lt;',
  ']]>',
  '<![CDATA[',
  '<!--',
  '-->',
  '<?x?>',
  '<!DOCTYPE a>',
  'xmlns=""',
  ' xmlns:p="u"',
  ' xsi:nil="true"',
  ' env:mustUnderstand="1"',
  '<env:Body>',
  '</env:Body>',
  '<env:Header/>',
  '99999999999999999999',
  '__proto__',
  'constructor',
  '-',
  'NaN',
  '1e9',
)
type Edit = { at: number; length: number; text: string }
const edits = fc.array(
  fc.record({
    at: fc.nat({ max: 10_000 }),
    length: fc.nat({ max: 40 }),
    text: fc.oneof(bits, fc.string({ unit: 'binary', maxLength: 4 })),
  }),
  { minLength: 1, maxLength: 4 },
)

function mutate(message: Buffer, changes: readonly Edit[]): Buffer {
  let bytes = message
  for (const { at, length, text } of changes) {
    const from = at % (bytes.length + 1)
    bytes = Buffer.concat([bytes.subarray(0, from), Buffer.from(text, 'latin1'), bytes.subarray(from + length)])
  }
  return bytes
}

const service = shopService()
const contentTypes = fc.constantFrom(
  'application/soap+xml',
  'text/xml',
  'application/soap+xml; charset=utf-16',
  '',
  'x/y',
)

test('a message that was changed anyhow gets an answer or a fault, never a bug, and soon', async () => {
  let slowest = 0
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...messages), edits, contentTypes, async (message, changes, contentType) => {
      const body = mutate(message, changes)
      const before = process.cpuUsage()
      const answer = await service.handle({ method: 'POST', contentType, body })
      slowest = Math.max(slowest, process.cpuUsage(before).user / 1000)
      expect(answer.body).not.toContain('InternalError')
      await parseEnvelope(Buffer.from(answer.body))
    }),
    { numRuns: 4000 },
  )
  expect(slowest).toBeLessThan(500)
})

test('bytes of any kind are read or refused with a fault', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const outcome = await parseEnvelope(bytes).catch((error: unknown) => error)
      expect(outcome).toBeInstanceOf(SoapFault)
    }),
    { numRuns: 2000 },
  )
})

test('what is decoded, whatever it is, can be encoded again and means the same', async () => {
  await fc.assert(
    fc.asyncProperty(edits, async (changes) => {
      const read = await parseEnvelope(mutate(messages[1] ?? Buffer.alloc(0), changes)).catch(() => undefined)
      if (!read?.body || !shop.schema.has(read.body)) return
      let value: unknown
      try {
        value = shop.schema.decode(read.body)
      } catch (error) {
        expect(error).toBeInstanceOf(SoapFault)
        return
      }
      const again = await parseEnvelope(Buffer.from(envelope(shop.schema.encode(read.body, value))))
      expect(again.body && shop.schema.decode(again.body)).toEqual(value)
    }),
    { numRuns: 3000 },
  )
})

test.each([
  ['nesting', (n: number) => '<a>'.repeat(n)],
  ['attributes', (n: number) => `<a ${Array.from({ length: n }, (_, at) => `a${at}="1"`).join(' ')}/>`],
  ['namespaces', (n: number) => `<a ${Array.from({ length: n }, (_, at) => `xmlns:a${at}="u"`).join(' ')}/>`],
  ['one attribute', (n: number) => `<a b="${'x'.repeat(n)}"/>`],
  ['one name', (n: number) => `<${'x'.repeat(n)}/>`],
  ['one text', (n: number) => `<a>${'x'.repeat(n)}</a>`],
  ['one comment', (n: number) => `<!--${'x'.repeat(n)}--><a/>`],
  ['references', (n: number) => `<a>${'&#65;'.repeat(n / 5)}</a>`],
  ['line ends', (n: number) => `<a>${'\r\n'.repeat(n / 2)}</a>`],
  ['CDATA sections', (n: number) => `<a>${'<![CDATA[x]]>'.repeat(n / 13)}</a>`],
  ['siblings', (n: number) => `<a>${'<b/>'.repeat(n / 4)}</a>`],
  ['a document type', (n: number) => `<!DOCTYPE a [${'<!ENTITY e "x">'.repeat(n / 15)}]><a/>`],
  ['digits', (n: number) => getCustomer('9'.repeat(n / 4))],
])('a megabyte of %s ends within bounded time', async (_, make) => {
  const inner = make(900_000)
  const body = Buffer.from(envelope(inner))
  const start = process.cpuUsage()
  const answer = await service.handle({ method: 'POST', contentType: 'application/soap+xml', body })
  const { user, system } = process.cpuUsage(start)
  expect(answer.status).not.toBe(200)
  expect((user + system) / 1000).toBeLessThan(1500)
})
