import { readFileSync } from 'node:fs'
import {
  type Contract,
  type Operations,
  parseContract,
  type ServiceSettings,
  type SoapService,
  soapService,
} from '@svc/soap-envelope'

/** The text of a document in this folder. */
export function readShop(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}

/**
 * The contract that most tests share: extension, choice, arrays, facets, an include without a
 * namespace.
 */
export const shop: Contract = parseContract(readShop('shop.wsdl'), { resolveImport: readShop })

export const SHOP = 'urn:test:shop'

/** Handlers that return their input, or something simple. */
export const shopOperations: Operations = {
  echo: (input: object) => input,
  getCustomer: ({ customerId }: { customerId: bigint }) => ({
    customer: { id: customerId, name: 'Ada <Lovelace> & Co', email: 'ada@example.com' },
  }),
  listOrders: ({ limit = 1 }: { limit?: number }) => ({
    order: Array.from({ length: limit }, (_, index) => createOrder(index)),
  }),
  note: () => {},
}

/** An order with everything that an order may have. */
export function createOrder(index: number): object {
  return {
    id: BigInt(index) + 9007199254740993n,
    placed: '2026-11-21T07:30:00.000Z',
    customer: { id: BigInt(index), name: `Customer <${index}> & Söhne`, email: 'c@example.com' },
    line: [{ sku: 'ABC-1', quantity: index, price: { value: '12.50', '@currency': 'EUR' }, gift: index % 2 === 0 }],
    '@status': 'PAID',
  }
}

export function shopService(settings: ServiceSettings = {}, operations: Operations = {}): SoapService {
  return soapService({ ...settings, wsdl: shop, operations: { ...shopOperations, ...operations } })
}

export const ENV12 = 'http://www.w3.org/2003/05/soap-envelope'
export const ENV11 = 'http://schemas.xmlsoap.org/soap/envelope/'

/** A SOAP 1.2 envelope; `env` and `s` are bound. */
export function envelope(body: string, header = '', namespace = ENV12): string {
  const head = header === '' ? '' : `<env:Header>${header}</env:Header>`
  return `<env:Envelope xmlns:env="${namespace}" xmlns:s="${SHOP}">${head}<env:Body>${body}</env:Body></env:Envelope>`
}

/** The child of the Body of a getCustomer request. */
export function getCustomer(id = '42'): string {
  return `<s:GetCustomerRequest><s:customerId>${id}</s:customerId></s:GetCustomerRequest>`
}
