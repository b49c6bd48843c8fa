import { readFileSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readConfig } from '../reference-server/src/config.ts'
import { start } from '../reference-server/src/start.ts'
import { report, root } from './files.ts'

// Counts the files, functions and calls that one warm request visits, by V8's precise coverage.
// `--check` fails if a count exceeds rooms.json, `--write` records the counts of this tree there.
// The server starts without the playground.

interface Rooms {
  files: number
  functions: number
  calls: number
}

const RECORD = join(import.meta.dirname, 'rooms.json')
const WARM_UPS = 20
const TRIES = 15
const SOURCES = new RegExp(`^${pathToFileURL(root).href}/(apps/reference-server/src/|packages/)`)

const authorization = `Basic ${Buffer.from('ada:ada-demo').toString('base64')}`
const soapBody = `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body>
<c:GetCustomerRequest xmlns:c="http://svc.example/ws/customer/v1"><c:customerId>1</c:customerId></c:GetCustomerRequest>
</s:Body></s:Envelope>`
let keys = 0

const requests: Record<string, () => [path: string, init?: RequestInit]> = {
  'GET /employees/1': () => ['/employees/1'],
  'GET /employees': () => ['/employees'],
  'POST /orders with a key': () => [
    '/orders',
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `rooms-${keys++}` },
      body: '{"customerId":1,"items":[{"productId":1,"quantity":1}]}',
    },
  ],
  'SOAP getCustomer': () => [
    '/ws/customer',
    { method: 'POST', headers: { 'content-type': 'application/soap+xml; charset=utf-8' }, body: soapBody },
  ],
}

const running = await start(readConfig({ PORT: '0', SVC_LOG_FILE: '/dev/null' }, false))
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
const counts: Record<string, Rooms> = {}
for (const [name, request] of Object.entries(requests)) {
  for (let sent = 0; sent < WARM_UPS; sent++) await send(request)
  const tries: Rooms[] = []
  for (let sent = 0; sent < TRIES; sent++) tries.push(await countRooms(() => send(request)))
  // A poll of a background job may fall into a try.
  counts[name] = tries.reduce((least, rooms) => (rooms.calls < least.calls ? rooms : least))
}
await running.stop()
console.table(counts)
if (process.argv.includes('--write')) writeFileSync(RECORD, `${JSON.stringify(counts, undefined, 2)}\n`)
else if (process.argv.includes('--check')) report('rooms', findExcess())

async function send(request: () => [path: string, init?: RequestInit]): Promise<void> {
  const [path, init] = request()
  const accept = path.startsWith('/ws') ? '*/*' : 'application/json'
  const response = await fetch(running.url + path, { ...init, headers: { accept, authorization, ...init?.headers } })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text}`)
  // The log line and the metrics are written after the response.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
}

async function countRooms(work: () => Promise<void>): Promise<Rooms> {
  await session.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const rooms: Rooms = { files: 0, functions: 0, calls: 0 }
  for (const { functions } of result.filter(({ url }) => SOURCES.test(url))) {
    const called = functions.map(({ ranges: [range] }) => range?.count ?? 0).filter((count) => count > 0)
    rooms.files += called.length > 0 ? 1 : 0
    rooms.functions += called.length
    rooms.calls += called.reduce((sum, count) => sum + count, 0)
  }
  return rooms
}

function findExcess(): string[] {
  const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as Record<string, Rooms>
  return Object.entries(counts).flatMap(([name, rooms]) =>
    (['files', 'functions', 'calls'] as const)
      .filter((unit) => rooms[unit] > (recorded[name]?.[unit] ?? 0))
      .map((unit) => `${name} visits ${rooms[unit]} ${unit}, recorded are ${recorded[name]?.[unit]}`),
  )
}
