import { randomUUID } from 'node:crypto'
import type { Target } from './targets.ts'

export interface Request {
  method: string
  /** Paths that are requested in turn. */
  paths: readonly string[]
  /** Headers of the next request, whose path has this index. */
  fields: (index: number) => Record<string, string>
  /** Body of the next request. */
  body?: (turn: number) => string
}

/** Makes the request that a target gets. */
export type RequestTo = (target: Target) => Promise<Request> | Request

export const ONE = '/employees/7'
/** Ten employees: more than one, and fewer than any cache stores. */
export const FEW = employeePaths(11, 10)
/** Employees that do not exist: no path is requested often. */
export const MISSING = employeePaths(900_001, 5000)
export const PAGE = '/employees?page=1&size=20'
/** Three pages with 60 employees. */
export const PAGES = [1, 2, 3].map((number) => `/employees?page=${number}&size=20`)

const employee = { name: 'Grace Hopper', department: 'Engineering', salary: 5000, city: 'Paris', managerId: 1 }

/** Paths of employees, from an id on. */
export function employeePaths(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `/employees/${first + index}`)
}

/**
 * A GET of one path, or of several in turn. The headers are added to those that the target needs,
 * or replace them; `undefined` removes one.
 */
export function get(paths: string | readonly string[], headers: Record<string, string | undefined> = {}): RequestTo {
  return ({ fields }) => {
    const all = defined({ ...fields, ...headers })
    return { method: 'GET', paths: [paths].flat(), fields: () => all }
  }
}

/** Conditional GETs of several paths in turn, with the ETags that this server sent. */
export function getAgain(paths: readonly string[]): RequestTo {
  return async ({ port, fields }) => {
    const conditions: Record<string, string>[] = []
    for (const path of paths) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: fields })
      await response.arrayBuffer()
      conditions.push({ ...fields, 'if-none-match': response.headers.get('etag') ?? '"none"' })
    }
    return { method: 'GET', paths, fields: (index) => conditions[index] ?? fields }
  }
}

/** A POST of an employee, each with a key, or all without one. */
export function post(key?: () => string, change: object = {}): RequestTo {
  const body = JSON.stringify({ ...employee, ...change })
  return ({ fields }) => {
    const all = { ...fields, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
    const createFields = (): Record<string, string> => (key ? { ...all, 'idempotency-key': key() } : all)
    return { method: 'POST', paths: ['/employees'], body: () => body, fields: createFields }
  }
}

/**
 * A change of each employee of `PAGE` in turn, to a salary that the employee did not have before.
 */
export function change(): RequestTo {
  const body = (turn: number): string => JSON.stringify({ salary: 3000 + (turn % 997) })
  return ({ fields }) => {
    const type = { 'content-type': 'application/merge-patch+json', 'content-length': String(body(0).length) }
    const all = { ...fields, ...type }
    return { method: 'PATCH', paths: employeePaths(21, 20), body, fields: () => all }
  }
}

/** Creates a key that has not been sent before: a random one, as clients create them. */
export function newKey(): string {
  return `"${randomUUID()}"`
}

/** getCustomer in SOAP 1.1, which all servers of SOAP speak. */
export function getCustomer(path: string, namespace: string): RequestTo {
  const content = `<t:GetCustomerRequest xmlns:t="${namespace}"><t:customerId>1</t:customerId></t:GetCustomerRequest>`
  const body = `<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${content}</s:Body></s:Envelope>`
  return ({ fields }) => {
    const added = { 'content-type': 'text/xml; charset=utf-8', soapaction: '"getCustomer"', accept: 'text/xml' }
    const all = { ...fields, ...added, 'content-length': String(Buffer.byteLength(body)) }
    return { method: 'POST', paths: [path], body: () => body, fields: () => all }
  }
}

/** Returns the function that formats the next request as a client sends it. */
export function formatInTurn({ method, paths, fields, body }: Request): () => string {
  let turn = 0
  return () => {
    const index = turn++ % paths.length
    let text = `${method} ${paths[index]} HTTP/1.1\r\nhost: localhost\r\n`
    const all = fields(index)
    for (const name in all) text += `${name}: ${all[name]}\r\n`
    return `${text}\r\n${body?.(turn) ?? ''}`
  }
}

function defined(fields: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
