/** The operations of version 2 that the page calls. */
export const OPERATIONS = ['getOrderDocument', 'verifyOrderDocument', 'GetQuote'] as const

export type SoapOperation = (typeof OPERATIONS)[number]

/** The values of a form of the page. */
export interface CallForm {
  operation: SoapOperation
  /** A demo user. Any other name sends no credentials. */
  user: string
  version: '1.2' | '1.1'
  application: string
  requestId: string
  /** Whether the header block is sent. */
  hasContext: boolean
  /** Whether attachments are sent and requested (MTOM). */
  mtom: boolean
  order: string
  /** Whether a byte of the document is changed before it is verified. */
  isChanged: boolean
  item: string
  category: string
  quantity: string
}

/** The values of a page that was opened without a call. */
export const DEFAULT_CALL: CallForm = {
  operation: 'getOrderDocument',
  user: 'bob',
  version: '1.2',
  application: 'playground',
  requestId: 'request-1',
  hasContext: true,
  mtom: true,
  order: '1',
  isChanged: false,
  item: 'Laptop',
  category: 'Electronics',
  quantity: '2',
}

const MAX_LENGTH = 100

/** Reads a call from a query; `undefined` if the query has none. */
export function parseCall(search: string): CallForm | undefined {
  const query = new URLSearchParams(search)
  const operation = OPERATIONS.find((name) => name === query.get('operation'))
  if (!operation) return undefined
  const read = (name: keyof CallForm): string => (query.get(name) ?? String(DEFAULT_CALL[name])).slice(0, MAX_LENGTH)
  return {
    operation,
    user: read('user'),
    version: query.get('version') === '1.1' ? '1.1' : '1.2',
    application: read('application'),
    requestId: read('requestId'),
    // A browser omits a box that is not checked.
    hasContext: query.has('hasContext'),
    mtom: query.has('mtom'),
    order: read('order'),
    isChanged: query.has('isChanged'),
    item: read('item'),
    category: read('category'),
    quantity: read('quantity'),
  }
}

/** Writes a call as a query. */
export function formatCall(form: CallForm): string {
  const pairs = Object.entries(form).flatMap(([name, value]): [string, string][] =>
    typeof value === 'boolean' ? (value ? [[name, 'on']] : []) : [[name, value]],
  )
  return String(new URLSearchParams(pairs))
}
