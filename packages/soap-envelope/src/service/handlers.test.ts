import { type Interceptor, type OperationContext, parseContract, parseEnvelope, soapService } from '@svc/soap-envelope'
import { describe, expect, test } from 'vitest'
import { findContract } from '../testing/corpus/contracts.ts'
import { faultIn, post } from '../testing/post.ts'
import { ENV12, envelope, getCustomer, shopService } from '../testing/shop.ts'

describe('interceptors', () => {
  test('run before and after the handler, the first outermost, and may change both', async () => {
    const steps: string[] = []
    const outer: Interceptor = async (call, next) => {
      steps.push(`before ${call.context.operation}`)
      call.context.httpHeaders['X-Took'] = '1'
      const output = await next()
      steps.push('after')
      return output
    }
    const inner: Interceptor = (call, next) => {
      call.input = { customerId: 5n }
      return next()
    }
    const { headers, body } = await post(shopService({ interceptors: [outer, inner] }), envelope(getCustomer('42')))
    expect(steps).toEqual(['before getCustomer', 'after'])
    expect(headers['X-Took']).toBe('1')
    expect(body).toContain('>5</')
  })

  test('see the error of a handler, and may respond instead', async () => {
    const rescue: Interceptor = async (_, next) => {
      try {
        return await next()
      } catch {
        return { customer: { id: 0n, name: 'nobody', email: '' } }
      }
    }
    const failing = { getCustomer: () => Promise.reject(new Error('down')) }
    expect((await post(shopService({ interceptors: [rescue] }, failing), envelope(getCustomer()))).status).toBe(200)
  })

  test('a throw is a fault', async () => {
    const refuse: Interceptor = () => {
      throw Object.assign(new Error('closed'), { status: 503 })
    }
    expect(await faultIn(await post(shopService({ interceptors: [refuse] }), envelope(getCustomer())))).toBe(
      '503 Receiver/Unavailable',
    )
  })
})

describe('header blocks that the contract binds', () => {
  const shape = findContract('headers of request and response')
  const contract = parseContract(shape.documents['main.wsdl'] ?? '')
  const call = (input: unknown): unknown => input
  const request = (header: string): string =>
    `<e:Envelope xmlns:e="${ENV12}" xmlns:c="urn:corpus"><e:Header>${header}</e:Header><e:Body><c:Request><c:id>1</c:id></c:Request></e:Body></e:Envelope>`
  const session = '<c:Session e:mustUnderstand="1"><c:token>t</c:token></c:Session>'
  const trace = '<c:Trace>7</c:Trace>'

  test.each([
    ['one is missing', session, '400 Sender/InvalidHeader'],
    ['one comes twice', session + session + trace, '400 Sender/InvalidHeader'],
    ['one does not fit', `${session}<c:Trace>x</c:Trace>`, '400 Sender/InvalidHeader'],
    ['one is for another node', session + trace.replace('>', ' e:role="urn:other">'), '400 Sender/InvalidHeader'],
  ])('are rejected if %s', async (_, header, fault) => {
    const service = soapService({ wsdl: contract, operations: { call } })
    expect(await faultIn(await post(service, request(header)))).toBe(fault)
  })

  test('may be missing with requireHeaders: false, and are checked all the same', async () => {
    const service = soapService({ wsdl: contract, operations: { call }, requireHeaders: false })
    expect((await post(service, request(''))).status).toBe(200)
    expect(await faultIn(await post(service, request('<c:Trace>x</c:Trace>')))).toBe('400 Sender/InvalidHeader')
  })

  test('of the response are those that the handler sets', async () => {
    const withHeader = (outputHeaders: object) =>
      soapService({
        wsdl: contract,
        operations: {
          call: (input: unknown, context: { outputHeaders: object }) => {
            Object.assign(context.outputHeaders, outputHeaders)
            return input
          },
        } as never,
      })
    const { body } = await post(withHeader({ trace: 9 }), request(session + trace))
    const { headers } = await parseEnvelope(Buffer.from(body))
    expect(headers.map(({ element }) => [element.local, element.text])).toEqual([['Trace', '9']])
    for (const wrong of [{ trace: 'x' }, { other: 1 }])
      expect(await faultIn(await post(withHeader(wrong), request(session + trace)))).toBe('500 Receiver/InternalError')
  })
})

describe('declared faults', () => {
  type Context = OperationContext<{ input: unknown; output: unknown; faults: { Other: object; ServiceFault: object } }>
  const failing = (name: 'Other' | 'ServiceFault', value: object) =>
    shopService(
      {},
      {
        getCustomer: (_input: unknown, context: Context) => {
          throw context.fault(name, value, { reason: 'no', subcodes: ['Gone'] })
        },
      },
    )
  const record = { timestamp: '2026-01-01T00:00:00Z', status: 410, error: 'Gone', message: 'no', path: '/' }

  test('are built by the context of a handler', async () => {
    const response = await post(failing('ServiceFault', record), envelope(getCustomer()))
    expect(await faultIn(response)).toBe('400 Sender/Gone')
    expect(response.body).toMatch(/ServiceFault[^]*<t:status>410</)
  })

  test.each<[string, 'Other' | 'ServiceFault', object]>([
    ['a name that the operation does not declare', 'Other', {}],
    ['a value that does not fit', 'ServiceFault', { ...record, status: 'x' }],
  ])('%s is a bug of the handler', async (_, name, value) => {
    expect(await faultIn(await post(failing(name, value), envelope(getCustomer())))).toBe('500 Receiver/InternalError')
  })
})

test('operations that share an element are chosen by the action', async () => {
  const shape = findContract('two operations with one element, distinguished by the action')
  const contract = parseContract(shape.documents['main.wsdl'] ?? '')
  const called: string[] = []
  const named = (name: string) => (input: unknown) => {
    called.push(name)
    return input
  }
  const service = soapService({ wsdl: contract, operations: { call: named('call'), check: named('check') } as never })
  const xml = `<e:Envelope xmlns:e="${ENV12}"><e:Body><Request xmlns="urn:corpus"><id>1</id></Request></e:Body></e:Envelope>`
  const typed = (action: string) => ({ contentType: `application/soap+xml; action="${action}"` })
  expect((await post(service, xml, typed('urn:check'))).status).toBe(200)
  expect((await post(service, xml, typed('urn:call'))).status).toBe(200)
  expect(called).toEqual(['check', 'call'])
  expect(await faultIn(await post(service, xml))).toBe('400 Sender/UnknownOperation')
  expect(await faultIn(await post(service, xml, typed('urn:other')))).toBe('400 Sender/UnknownOperation')
})
