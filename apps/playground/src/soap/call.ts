import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { SoapFault, type SoapService } from '@svc/soap-envelope'
import { type SoapReply, soapClient } from '@svc/soap-envelope/client'
import {
  type CustomerPortType,
  DEMO_USERS,
  demoPassword,
  type PricePortType,
  readContracts,
} from '../../../reference-server/src/index.ts'
import type { CallForm } from './call-form.ts'

type ClientContext = CustomerPortType['getOrderDocument']['inputHeaders']['clientContext']

/** The services that are called. */
export interface SoapServices {
  customers: SoapService
  prices: SoapService
}

/** One message on its way, as it was written. */
export interface SoapMessage {
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/** A call: its messages, and its outcome as values. */
export interface SoapCall {
  path: string
  request: SoapMessage | undefined
  response: (SoapMessage & { status: number }) | undefined
  output?: Readonly<Record<string, unknown>>
  /** Header blocks of the response by their names. */
  headers?: Readonly<Record<string, unknown>>
  fault?: { name: string | undefined; code: string; reason: string; value: unknown }
  file?: { name: string; type: string; bytes: Uint8Array; isAsInReceipt: boolean }
  /** Why the client sent nothing. */
  unsent?: string
}

const CUSTOMERS = '/ws/customer'
const PRICES = '/ws/PriceService'
const [, customerContract] = readContracts('customer')
const [, priceContract] = readContracts('price')

/** Calls an operation by the client of the package, in this process. */
export async function callSoap(form: CallForm, services: SoapServices): Promise<SoapCall> {
  const isQuote = form.operation === 'GetQuote'
  const call: SoapCall = { path: isQuote ? PRICES : CUSTOMERS, request: undefined, response: undefined }
  try {
    const reply = isQuote
      ? await quote(form, services.prices, call)
      : await readDocument(form, services.customers, call)
    call.output = reply.output as Readonly<Record<string, unknown>>
    call.headers = reply.outputHeaders as Readonly<Record<string, unknown>>
  } catch (error) {
    describeError(error, call)
  }
  return call
}

async function quote(form: CallForm, service: SoapService, call: SoapCall): Promise<SoapReply> {
  const client = soapClient<PricePortType>(priceContract, clientOptions(form, service, call))
  const input = { Item: form.item, Category: form.category, Quantity: toNumber(form.quantity) }
  return await client.send('GetQuote', input, callOptions(form))
}

async function readDocument(form: CallForm, service: SoapService, call: SoapCall): Promise<SoapReply> {
  const client = soapClient<CustomerPortType>(customerContract, clientOptions(form, service, call))
  const orderId = toBigInt(form.order)
  const reply = await client.send('getOrderDocument', { orderId }, callOptions(form))
  const { fileName: name, mediaType: type, document: bytes } = reply.output
  if (form.operation === 'verifyOrderDocument') {
    const document = form.isChanged ? bytes.with(-1, (bytes.at(-1) ?? 0) ^ 1) : bytes
    return await client.send('verifyOrderDocument', { orderId, document }, callOptions(form))
  }
  const digest = new Uint8Array(createHash('sha256').update(bytes).digest())
  call.file = { name, type, bytes, isAsInReceipt: isDeepStrictEqual(digest, reply.outputHeaders.receipt?.sha256) }
  return reply
}

function clientOptions({ user, version, mtom }: CallForm, service: SoapService, call: SoapCall) {
  const isDemoUser = DEMO_USERS.some(({ username }) => username === user)
  const credentials = { username: user, password: demoPassword(user), type: 'digest' } as const
  return {
    endpoint: `http://localhost${call.path}`,
    version,
    mtom,
    ...(isDemoUser && { credentials }),
    fetch: dispatch(service, call),
  }
}

function callOptions({ hasContext, application, requestId }: CallForm): {
  inputHeaders?: { clientContext: ClientContext }
} {
  return hasContext ? { inputHeaders: { clientContext: { application, requestId } } } : {}
}

/** Hands requests to a service without a connection, and notes both messages. */
function dispatch(service: SoapService, call: SoapCall): typeof fetch {
  return async (url, init) => {
    const sent = new Request(url, init)
    const body = Buffer.from(await sent.arrayBuffer())
    call.request = { headers: Object.fromEntries(sent.headers), body }
    const response = await service.handle({
      method: 'POST',
      path: call.path,
      contentType: sent.headers.get('content-type') ?? undefined,
      action: sent.headers.get('soapaction') ?? undefined,
      accept: sent.headers.get('accept') ?? undefined,
      isSecure: true,
      body,
    })
    const { status, headers, pieces = [response.body] } = response
    const parts: Uint8Array[] = []
    for await (const piece of pieces) parts.push(Buffer.from(piece as Uint8Array))
    call.response = { status, headers, body: Buffer.concat(parts) }
    return new Response(Buffer.concat(parts), { status, headers })
  }
}

function describeError(error: unknown, call: SoapCall): void {
  if (!(error instanceof Error)) throw error
  if (error instanceof TypeError && call.response === undefined) {
    call.unsent = error.message
    return
  }
  if (!(error instanceof SoapFault)) throw error
  const { code, subcodes, declared } = error
  const names = [code, ...subcodes.map(({ local }) => local)]
  call.fault = { name: declared?.name, code: names.join(' / '), reason: error.message, value: declared?.value }
}

function toBigInt(digits: string): bigint {
  return /^-?\d{1,19}$/.test(digits) ? BigInt(digits) : (digits as never)
}

function toNumber(digits: string): number {
  return digits.trim() === '' ? Number.NaN : Number(digits)
}
