import { parseContract, soapService } from '@svc/soap-envelope'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { check, type Expectation } from '../../../packages/internal/testing/check.ts'
import {
  type ApiVersion,
  apiVersions,
  collections,
  engine,
  type Format,
  migrations,
  type Running,
  readConfig,
  route,
  type SoapServiceDefinition,
  start,
} from '../src/index.ts'
import { basic, type Call, QUIET, toLiteral } from './service.ts'

// Everything that is added from outside, each as one declaration.
const rooms = engine.collection({
  name: 'rooms',
  item: 'room',
  description: 'Rooms in which employees meet.',
  example: { id: 1, name: 'Curie', seats: 8 },
  fields: {
    name: engine.field.text({ max: 50 }).describe('Name on the door.'),
    seats: engine.field.integer({ min: 1, max: 500 }).describe('Number of seats.'),
  },
  sort: ['name', 'seats'],
  filters: ['name', 'seats'],
  scope: 'departments',
  cache: 'private',
})

const NOW = '2026-01-05T08:00:00.000Z'

const createRooms: engine.Migration = {
  name: '9001-rooms',
  async run(tx) {
    const { table, id, text } = engine.createSchema(tx)
    await table('rooms', [id, `"name" ${text} not null`, '"seats" integer not null'])
    await tx.run(`insert into "rooms" ("name", "seats", "createdAt", "updatedAt") values ('Curie', 8, ?, ?)`, [
      NOW,
      NOW,
    ])
  },
}

const jsonLines: Format = {
  type: 'application/jsonl',
  parameters: '',
  kinds: ['page'],
  encode(content, { version }) {
    if (content.kind !== 'page') throw new TypeError('only a page has lines')
    const { encode } = content.shape.codec(version)
    return content.items.map((item) => `${JSON.stringify(encode(item, content.fields))}\n`).join('')
  },
}

const v3: ApiVersion = {
  name: '3',
  changes: [
    {
      description: 'The seats of a room are called capacity.',
      resource: 'rooms',
      up: ({ seats, ...rest }) => (seats === undefined ? rest : { ...rest, capacity: seats }),
      down: ({ capacity, ...rest }) => (capacity === undefined ? rest : { ...rest, seats: capacity }),
    },
  ],
  fields: { rooms: { seats: undefined, capacity: engine.field.integer({ min: 1, max: 500 }) } },
}

const NAMESPACE = 'urn:example:rooms'
const contract = parseContract(`<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"
  xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:xsd="http://www.w3.org/2001/XMLSchema"
  xmlns:t="${NAMESPACE}" targetNamespace="${NAMESPACE}" name="Rooms">
  <wsdl:types><xsd:schema targetNamespace="${NAMESPACE}" elementFormDefault="qualified">
    <xsd:element name="countSeats"><xsd:complexType><xsd:sequence>
      <xsd:element name="rooms" type="xsd:int"/></xsd:sequence></xsd:complexType></xsd:element>
    <xsd:element name="countSeatsResponse"><xsd:complexType><xsd:sequence>
      <xsd:element name="seats" type="xsd:int"/></xsd:sequence></xsd:complexType></xsd:element>
  </xsd:schema></wsdl:types>
  <wsdl:message name="in"><wsdl:part name="parameters" element="t:countSeats"/></wsdl:message>
  <wsdl:message name="out"><wsdl:part name="parameters" element="t:countSeatsResponse"/></wsdl:message>
  <wsdl:portType name="RoomsPort"><wsdl:operation name="countSeats">
    <wsdl:input message="t:in"/><wsdl:output message="t:out"/></wsdl:operation></wsdl:portType>
  <wsdl:binding name="RoomsBinding" type="t:RoomsPort">
    <soap12:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
    <wsdl:operation name="countSeats"><soap12:operation soapAction="countSeats" style="document"/>
      <wsdl:input><soap12:body use="literal"/></wsdl:input>
      <wsdl:output><soap12:body use="literal"/></wsdl:output></wsdl:operation></wsdl:binding>
  <wsdl:service name="Rooms"><wsdl:port name="RoomsPort" binding="t:RoomsBinding">
    <soap12:address location="http://localhost/ws/rooms"/></wsdl:port></wsdl:service>
</wsdl:definitions>`)

const countSeats: SoapServiceDefinition = {
  contracts: [contract],
  samples: { countSeats: { rooms: 1 } },
  create: (settings) =>
    soapService({
      ...settings,
      versions: [
        { wsdl: contract, operations: { countSeats: ({ rooms: count }: { rooms: number }) => ({ seats: 8 * count }) } },
      ],
    }),
}

let visits = 0

const visitRoute = route('/visits', {
  POST: {
    operationId: 'createVisit',
    summary: 'Create a visit',
    description: 'Counts a visit of anyone.',
    tag: 'visits',
    scope: undefined,
    kind: 'none',
    accepts: ['application/json'],
    idempotency: 'optional',
    run: () => ({ status: 201, cache: 'never', location: `/rooms/${++visits}` }),
    later: () => true,
  },
})

let running: Running
beforeAll(async () => {
  running = await start(readConfig({ ...QUIET, SVC_TRUST_PROXY: '127.0.0.1' }), {
    collections: [...collections, rooms],
    migrations: [...migrations, createRooms],
    formats: [jsonLines],
    versions: [...apiVersions, v3],
    extensions: [() => ({ soap: { '/ws/rooms': countSeats }, routes: [visitRoute] })],
  })
})
afterAll(() => running?.stop())

const send = (call: Call, expected: Expectation) =>
  check(running.url.replace('localhost', '127.0.0.1'), toLiteral({ as: 'ada', ...call }), expected)

test('serves an added collection: list, create, change, filter, validate, delete', async () => {
  await send({ path: '/rooms' }, { status: 200, body: { items: [{ id: 1, name: 'Curie', seats: 8 }] } })
  const json = { name: 'Noether', seats: 12 }
  const { headers } = await send({ method: 'POST', path: '/rooms', json }, { status: 201, body: json })
  const path = headers['location'] ?? ''
  await send({ method: 'PATCH', path, json: { seats: 20 } }, { status: 200, body: { name: 'Noether', seats: 20 } })
  const { text } = await send({ path: '/rooms?seats[gte]=20&sort=-name' }, { status: 200 })
  expect(JSON.parse(text).items).toMatchObject([{ name: 'Noether' }])
  await send({ method: 'POST', path: '/rooms', json: { name: 'Small', seats: 0 } }, { status: 422 })
  await send({ method: 'POST', path: '/rooms', json: { nam: 'Small' } }, { status: 400 })
  await send({ as: 'eve', method: 'DELETE', path }, { status: 403 })
  await send({ method: 'DELETE', path }, { status: 204 })
  await send({ path }, { status: 404 })
})

test('describes and links an added collection', async () => {
  const { text } = await send({ path: '/v2/openapi.json' }, { status: 200 })
  const { paths, components, tags } = JSON.parse(text)
  expect(paths['/rooms'].get.operationId).toBe('listRooms')
  expect(components.schemas.Room.required).toEqual(['id', 'name', 'seats', '_links'])
  expect(tags.map(({ name }: { name: string }) => name)).toContain('rooms')
  expect(Object.keys(components.responses.RoomPage.content)).toContain('application/jsonl')
  const { text: home } = await send({ path: '/' }, { status: 200 })
  expect(JSON.parse(home)._links.rooms.href).toMatch(/^\/(v1\/)?rooms/)
  const html = { accept: 'text/html' }
  expect((await send({ path: '/rooms/1', headers: html }, { status: 200 })).text).toContain('Curie')
})

test('writes an added representation of every page, and of nothing else', async () => {
  const headers = { accept: 'application/jsonl' }
  const jsonl = { status: 200, headers: { 'content-type': 'application/jsonl' } }
  const { text } = await send({ path: '/employees?size=3&fields=id', headers }, jsonl)
  expect(text).toBe('{"id":1}\n{"id":2}\n{"id":3}\n')
  await send({ path: '/rooms', headers }, { ...jsonl })
  await send({ path: '/rooms/1', headers }, { status: 406 })
})

test('serves an added version of an added collection', async () => {
  await send({ path: '/v3/rooms/1' }, { status: 200, body: { name: 'Curie', capacity: 8 } })
  await send({ method: 'PATCH', path: '/v3/rooms/1', json: { capacity: 9 } }, { status: 200, body: { capacity: 9 } })
  await send({ path: '/v2/rooms/1' }, { status: 200, body: { seats: 9 } })
  await send({ method: 'PATCH', path: '/v3/rooms/1', json: { seats: 9 } }, { status: 400 })
})

test('answers an added SOAP operation by its contract, with the security of the others', async () => {
  const message = (body: string): string =>
    `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body>${body}</s:Body></s:Envelope>`
  const call = (body: string, authorization?: string): Call => ({
    method: 'POST',
    path: '/ws/rooms',
    headers: { 'content-type': 'application/soap+xml', ...(authorization && { authorization }) },
    body: message(body),
  })
  const request = `<countSeats xmlns="${NAMESPACE}"><rooms>3</rooms></countSeats>`
  const { text } = await send(call(request, basic('ada')), { status: 200 })
  expect(text).toMatch(/<\w*:?seats[^>]*>24</)
  const wrong = `<countSeats xmlns="${NAMESPACE}"><rooms>many</rooms></countSeats>`
  await send(call(wrong, basic('ada')), { status: 400 })
  const { text: refused } = await send(call(request, basic('carl')), { status: 400 })
  expect(refused).toContain('NotPermitted')
  const { text: wsdl } = await send({ path: '/ws/rooms?wsdl' }, { status: 200 })
  expect(wsdl).toContain(NAMESPACE)
})

test('runs an added action after its response', async () => {
  const call = { method: 'POST', path: '/visits', json: {} }
  const { headers } = await send({ ...call, headers: { prefer: 'respond-async' } }, { status: 202 })
  const path = headers['location'] ?? ''
  await vi.waitFor(() => send({ path }, { status: 200, body: { status: 'SUCCEEDED' } }), { timeout: 10_000 })
})

test('separates the keys of unauthenticated clients by their addresses behind a proxy', async () => {
  const visit = async (address: string): Promise<string | undefined> => {
    const headers = { 'x-forwarded-for': address, 'idempotency-key': '"visit"' }
    const { headers: response } = await send(
      { as: '', method: 'POST', path: '/visits', json: {}, headers },
      { status: 201 },
    )
    return response['location']
  }
  const first = await visit('192.0.2.1')
  expect(await visit('192.0.2.1')).toBe(first)
  expect(await visit('192.0.2.2')).not.toBe(first)
})
