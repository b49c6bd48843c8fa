import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Listens on loopback, asks for what each package promises, and says so. */
export async function proveService(service: (req: IncomingMessage, res: ServerResponse) => void): Promise<void> {
  const server = createServer(service)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await proveReading(url)
    await proveRefusals(url)
    await proveWriting(url)
    await proveSoap(url)
    await proveLimit(url)
    console.log(`all seven packages work on Node ${process.versions.node.split('.')[0]}`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

async function proveReading(url: string): Promise<void> {
  const hal = await fetch(`${url}/v2/orders/1`, { headers: { accept: 'application/hal+json' } })
  assert.equal(hal.status, 200)
  assert.equal(hal.headers.get('api-version'), '2')
  assert.equal(hal.headers.get('x-ratelimit-limit'), '8')
  assert.ok(hal.headers.get('content-encoding'), 'a body of 1.8 kB is compressed')
  const order = (await hal.json()) as { status: string; _links: unknown }
  assert.equal(order.status, 'PAID')
  assert.deepEqual(order._links, { self: { href: '/v2/orders/1' }, cancel: { href: '/v2/orders/1/cancellation' } })

  const tag = hal.headers.get('etag')
  assert.ok(tag)
  const again = await fetch(`${url}/v2/orders/1`, { headers: { accept: 'application/hal+json', 'if-none-match': tag } })
  assert.equal(again.status, 304)

  const csv = await fetch(`${url}/orders/2`, { headers: { accept: 'text/csv' } })
  assert.equal(await csv.text(), 'id,status\r\n2,SHIPPED\r\n')
}

async function proveRefusals(url: string): Promise<void> {
  const picture = await fetch(`${url}/orders/1`, { headers: { accept: 'image/png' } })
  assert.equal(picture.status, 406)
  const record = (await picture.json()) as { status: number; code: string; path: string }
  assert.equal(record.code, 'ERR_NEGOTIATE_NOT_ACCEPTABLE')
  assert.equal(record.path, '/orders/1')

  const version = await fetch(`${url}/v9/orders/1`, { headers: { accept: 'application/problem+json' } })
  assert.ok(version.status === 400 || version.status === 404)
  assert.match(version.headers.get('content-type') ?? '', /problem\+json/)

  const removal = await fetch(`${url}/orders/1`, { method: 'DELETE' })
  assert.equal(removal.status, 405)
  assert.match(removal.headers.get('allow') ?? '', /GET/)
}

async function proveWriting(url: string): Promise<void> {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': '"8e03978e-40d5-43e8-bc93-6894a57f9324"' },
    body: '{"status":"SHIPPED"}',
  }
  const first = await fetch(`${url}/orders`, request)
  const retry = await fetch(`${url}/orders`, request)
  assert.equal(first.status, 201)
  assert.equal(retry.status, 201)
  assert.equal(first.headers.get('location'), '/orders/3')
  assert.equal(retry.headers.get('location'), '/orders/3')
  assert.equal(first.headers.get('idempotent-replayed'), null)
  assert.equal(retry.headers.get('idempotent-replayed'), 'true')
  assert.equal(await retry.text(), await first.text())
}

async function proveSoap(url: string): Promise<void> {
  const call = async (visits: string): Promise<Response> =>
    fetch(`${url}/ws/greeter`, {
      method: 'POST',
      headers: { 'content-type': 'application/soap+xml; charset=utf-8' },
      body: `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body>
        <GreetRequest xmlns="urn:greeter:v1"><visits>${visits}</visits></GreetRequest></e:Body></e:Envelope>`,
    })
  const greeting = await call('9007199254740993')
  assert.equal(greeting.status, 200)
  assert.match(await greeting.text(), /Hello for the 9007199254740994th time/)
  const fault = await call('many')
  assert.equal(fault.status, 400)
  assert.match(await fault.text(), /ValidationFailed/)
}

async function proveLimit(url: string): Promise<void> {
  const statuses: number[] = []
  for (let index = 0; index < 9; index++) statuses.push((await fetch(`${url}/orders/2`)).status)
  assert.equal(statuses.at(-1), 429)
  const refused = await fetch(`${url}/orders/2`)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal(((await refused.json()) as { error: string }).error, 'Too Many Requests')
}
