import { parseContract, soapService } from '@svc/soap-envelope'
import { describe, expect, test } from 'vitest'
import { readShop, shop, shopOperations, shopService } from '../testing/shop.ts'

describe('mistakes of the programmer show at start', () => {
  const { note: _, ...incomplete } = shopOperations
  test.each<[string, () => unknown, string]>([
    [
      'a handler too few',
      () => soapService({ wsdl: shop, operations: incomplete }),
      'the operation note of ShopPortType needs a handler',
    ],
    ['a handler too many', () => shopService({}, { more: () => {} }), 'ShopPortType has no operation "more"'],
    ['a handler that is none', () => shopService({}, { note: 'x' as never }), 'needs a handler, got "x"'],
    [
      'an inherited handler',
      () => soapService({ wsdl: shop, operations: Object.create(shopOperations) }),
      'needs a handler',
    ],
    ['a typo', () => shopService({ onFalt: () => {} } as object), 'unknown option "onFalt", did you mean "onFault"?'],
    [
      'a bad limit',
      () => shopService({ limits: { maxDepth: -1 } }),
      'limits.maxDepth must be a positive integer, got -1',
    ],
    [
      'a bad bound',
      () => shopService({ maxPendingOneWay: 0 }),
      'maxPendingOneWay must be an integer of 1 or more, got 0',
    ],
    [
      'a bad mode',
      () => shopService({ statusMode: 'x' as never }),
      "statusMode must be one of 'soap', 'http', got \"x\"",
    ],
    [
      'an open operation that is none',
      () => shopService({ publicOperations: ['nope'] }),
      'publicOperations names "nope", which is not an operation',
    ],
    ['an empty namespace', () => shopService({ faultNamespace: '' }), 'faultNamespace must not be empty'],
    ['no version', () => soapService({ versions: [] }), 'versions must not be empty'],
    [
      'the same version twice',
      () => soapService({ versions: [1, 2].map(() => ({ wsdl: shop, operations: shopOperations })) }),
      'two operations have {urn:test:shop}EchoRequest and the action "echo"',
    ],
    [
      'two versions of one name',
      () => {
        const versions = ['urn:test/v1/shop', 'urn:test/v2/shop'].map((namespace) => {
          const read = (name: string): string => readShop(name).replaceAll('urn:test:shop', namespace)
          return { wsdl: parseContract(read('shop.wsdl'), { resolveImport: read }), operations: shopOperations }
        })
        return soapService({ versions })
      },
      'versions: two have the name "shop": set name on each',
    ],
  ])('%s', (_name, build, message) => {
    expect(build).toThrow(TypeError)
    expect(build).toThrow(message)
  })
})
