import { expect } from 'vitest'
import { send } from '../service.ts'
import type { FuzzRequest, FuzzRoute } from './requests.ts'

const ELSEWHERE: readonly FuzzRoute[] = [
  ...['/', '/docs', '/openapi.json', '/ws/customer?wsdl', '/assets/x.js'].map((path) => ({ path, methods: ['GET'] })),
  ...['/ws/customer', '/ws/PriceService'].map((path) => ({ path, methods: ['POST'] })),
  { path: '/operations/{id}', methods: ['GET', 'DELETE'] },
]
/** Internals that no error response may contain. */
export const INTERNALS =
  /node_modules|[\w-]\.(ts|js):\d|\bat .{1,80}:\d+:\d+\)?|\/src\/|SQLITE|sqlite|postgres|kysely|\b(select|insert|update|delete) .{0,60}\b(from|into|set)\b|(Type|Range|Reference|Syntax)Error|is not a function|Cannot read|ECONN/i

/** A response, as far as it is judged. */
export interface Seen {
  status: number
  type: string
  body: string
}

/** Every route of the service, by its OpenAPI document. */
export async function everyRoute(url: string): Promise<FuzzRoute[]> {
  const { text } = await send(url, { path: '/openapi.json' })
  const paths = Object.entries(JSON.parse(text).paths as Record<string, object>)
  expect(paths.length).toBeGreaterThan(40)
  const described = paths.map(([path, actions]) => ({
    path,
    // OpenAPI 3.1 lists QUERY separately from its own methods.
    methods: Object.keys(actions).map((name) => name.replace('x-', '').toUpperCase()),
  }))
  return [...described, ...ELSEWHERE.filter(({ path }) => !described.some((route) => route.path === path))]
}

/**
 * Whether a response is a server error. SOAP 1.1 faults always have the status 500, also for client
 * errors. 501 and 503 are intended.
 */
export function isFailure({ path }: FuzzRequest, { status, body }: Seen): boolean {
  if (status < 500 || status === 501) return false
  if (status === 503) return /took too long/.test(body)
  return !(/\/ws\//.test(path) && /Fault/.test(body) && /Client|Sender|VersionMismatch|MustUnderstand/.test(body))
}

/** A request as it is printed with a problem. */
export function shown({ method, path, headers, body }: FuzzRequest): string {
  return JSON.stringify({ method, path, headers, body: body?.slice(0, 300) })
}
