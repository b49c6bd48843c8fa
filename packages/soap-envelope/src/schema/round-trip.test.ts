import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SHOP, shop } from '../testing/shop.ts'
import { DEFAULT_LIMITS } from '../xml/limits.ts'
import { treeReader } from '../xml/tree.ts'

describe('the contract of the tests', () => {
  const name = { uri: SHOP, local: 'EchoRequest' }
  const text = fc
    .string({ unit: 'binary' })
    .map((value) => value.toWellFormed().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, ''))
  const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  const party = fc.record({ id: long, name: text })
  const customer = fc.record({ $type: fc.constant('Customer'), id: long, name: text, email: text })
  const leaf = fc.record({ label: text, tree: fc.constant([]) })
  const branch = fc.record({ label: text, tree: fc.array(leaf, { maxLength: 2 }) })
  const tree = fc.record({ label: text, tree: fc.array(branch, { maxLength: 3 }) })
  const choice = fc.oneof(fc.record({ left: text }), fc.record({ right: fc.integer() }))
  const everything = fc
    .tuple(
      choice,
      fc.record(
        {
          string: text,
          long,
          int: fc.integer(),
          unsignedByte: fc.integer({ min: 0, max: 255 }),
          decimal: fc.constantFrom('0.10', '-5', '123456789.123456789'),
          double: fc.double().map((value) => (Object.is(value, -0) ? 0 : value)),
          boolean: fc.boolean(),
          dateTime: fc.constantFrom('2026-11-21T07:30:00Z', '2026-11-21T07:30:00.123456+02:00'),
          base64: fc.uint8Array({ maxLength: 20 }),
          nillable: fc.option(fc.integer()),
          optional: text,
          list: fc.array(text, { maxLength: 10 }),
          party: fc.oneof(party, customer),
          tree,
          '@flag': fc.boolean(),
        },
        {
          requiredKeys: [
            ...(['string', 'long', 'int', 'unsignedByte', 'decimal', 'double', 'boolean', 'dateTime'] as const),
            ...(['base64', 'nillable', 'list', 'party'] as const),
          ],
        },
      ),
    )
    .map(([one, other]) => ({ ...one, ...other }))

  test('every value that is written is read back equal', () => {
    fc.assert(
      fc.property(everything, (value) => {
        const reader = treeReader({ limits: DEFAULT_LIMITS })
        reader.write(shop.schema.encode(name, value))
        expect(shop.schema.decode(reader.end())).toEqual(value)
      }),
      { numRuns: 300 },
    )
  })
})
