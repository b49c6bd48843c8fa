import type { Target } from './targets.ts'

export interface Request {
  method: string
  path: string
  fields: () => Record<string, string>
  body?: string
}

/** Makes the request that a target gets. */
export type RequestTo = (target: Target) => Promise<Request> | Request

export const ONE = '/employees/7'
export const PAGE = '/employees?page=1&size=20'

const employee = { name: 'Grace Hopper', department: 'Engineering', salary: 5000, city: 'Paris', managerId: 1 }

/** A GET with fields beside, or in place of, those that the target needs; `undefined` takes one away. */
export function get(path: string, own: Record<string, string | undefined> = {}): RequestTo {
  return ({ fields }) => {
    const all = defined({ ...fields, ...own })
    return { method: 'GET', path, fields: () => all }
  }
}

/** A conditional GET with the tag that this server gave. */
export function getAgain(path: string): RequestTo {
  return async (target) => {
    const response = await fetch(`http://127.0.0.1:${target.port}${path}`, { headers: target.fields })
    await response.arrayBuffer()
    return get(path, { 'if-none-match': response.headers.get('etag') ?? '"none"' })(target)
  }
}

/** A POST of an employee, each with a key, or all without one. */
export function post(key?: () => string, change: object = {}): RequestTo {
  const body = JSON.stringify({ ...employee, ...change })
  return ({ fields }) => {
    const all = { ...fields, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
    const fieldsOf = (): Record<string, string> => (key ? { ...all, 'idempotency-key': key() } : all)
    return { method: 'POST', path: '/employees', body, fields: fieldsOf }
  }
}

let keys = 0

/** A key that nobody sent before. */
export function newKey(): string {
  return `"bench-${process.pid}-${keys++}"`
}

/** getCustomer in SOAP 1.1, which all servers of SOAP speak. */
export function getCustomer(path: string, namespace: string): RequestTo {
  const content = `<t:GetCustomerRequest xmlns:t="${namespace}"><t:customerId>1</t:customerId></t:GetCustomerRequest>`
  const body = `<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${content}</s:Body></s:Envelope>`
  return ({ fields }) => {
    const own = { 'content-type': 'text/xml; charset=utf-8', soapaction: '"getCustomer"', accept: 'text/xml' }
    const all = { ...fields, ...own, 'content-length': String(Buffer.byteLength(body)) }
    return { method: 'POST', path, body, fields: () => all }
  }
}

/** The bytes that a client sends. */
export function textOf({ method, path, fields, body = '' }: Request): string {
  let text = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n`
  const all = fields()
  for (const name in all) text += `${name}: ${all[name]}\r\n`
  return `${text}\r\n${body}`
}

function defined(fields: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
