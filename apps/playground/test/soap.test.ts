import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../../reference-server/test/service.ts'
import { type CallForm, DEFAULT_CALL, formatCall, parseCall } from '../src/soap/call-form.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ SVC_RATE_LIMIT_ANONYMOUS: '10000/1m' })
})
afterAll(() => service.running.stop())

const open = async (changes: Partial<CallForm>, language = 'en'): Promise<string> => {
  const path = `/play/soap?${formatCall({ ...DEFAULT_CALL, ...changes })}`
  const headers = { accept: 'text/html', 'accept-language': language }
  return (await service.check({ path, headers }, { status: 200 })).text
}

test.each<[string, Partial<CallForm>, RegExp]>([
  [
    'a paid order',
    {},
    /data-file>[^]*invoice-\d{4}-000001\.pdf[^]*application\/pdf · [\d,]+ bytes[^]*badge good">SHA-256/,
  ],
  ['its header block', {}, /receipt\.requestId<\/dt><dd>request-1</],
  ['its attachment', {}, /xop:Include[^]*\+ Content-Type: application\/pdf/],
  ['an order without attachments', { mtom: false }, /document&gt;[A-Za-z0-9+/=]{64}…/],
  ['an unpaid order', { order: '3' }, /data-fault="DocumentNotAvailable"[^]*orderStatus<\/dt><dd>CREATED/],
  ['an unknown order', { order: '999999', version: '1.1' }, /data-fault="OrderNotFound"[^]*500/],
  ['a request without its header block', { hasContext: false }, /data-fault=""[^]*InvalidHeader/],
  ['a user who may not call SOAP', { user: 'eve' }, /data-fault="ServiceFault"[^]*NotPermitted/],
  ['a request without credentials', { user: 'anonymous' }, /data-fault=""[^]*InvalidSecurity/],
  ['a user who does not exist', { user: '__proto__' }, /data-fault=""[^]*InvalidSecurity/],
  ['a genuine document', { operation: 'verifyOrderDocument' }, /isGenuine<\/dt><dd>true/],
  ['a changed document', { operation: 'verifyOrderDocument', isChanged: true }, /isGenuine<\/dt><dd>false/],
  ['a quote', { operation: 'GetQuote' }, /Total\.value<\/dt><dd>1998\.00[^]*validity\.validUntil/],
  ['a quote for too many', { operation: 'GetQuote', quantity: '1000' }, /data-fault="InsufficientStock"[^]*Available/],
  ['an id that is no number', { order: 'x' }, /notice bad">[^]*orderId/],
  ['a header block that does not fit', { requestId: '<b>' }, /notice bad">[^]*requestId/],
])('the SOAP page shows %s', async (_, changes, pattern) => {
  const text = await open(changes)
  expect(text).toMatch(pattern)
  expect(text).not.toContain('<b>')
})

test.each(['de', 'fr', 'es'])('the SOAP page speaks %s', async (language) => {
  expect(await open({}, language)).toContain(`<html lang="${language}"`)
})

describe('/play/soap/document', () => {
  test('is the document of the call', async () => {
    const path = `/play/soap/document?${formatCall(DEFAULT_CALL)}`
    const expected = { 'content-type': 'application/pdf', 'content-disposition': /invoice-\d{4}-000001\.pdf/ }
    const { body } = await service.check({ path }, { status: 200, headers: expected })
    const invoice = { as: 'bob', path: '/orders/1/invoice', headers: { accept: 'application/pdf' } }
    expect(body.equals((await service.check(invoice, { status: 200 })).body)).toBe(true)
  })

  test.each<[string, Partial<CallForm>]>([
    ['an order without one', { order: '3' }],
    ['a user who may not read it', { user: 'carl' }],
    ['a quote', { operation: 'GetQuote' }],
  ])('leads back to the page for %s', async (_, changes) => {
    const query = formatCall({ ...DEFAULT_CALL, ...changes })
    await service.check(
      { path: `/play/soap/document?${query}` },
      { status: 302, headers: { location: `/play/soap?${query}` } },
    )
  })
})

test('a call is read from a query as it was written, and is short', () => {
  for (const form of [DEFAULT_CALL, { ...DEFAULT_CALL, hasContext: false, version: '1.1' as const, user: 'anonymous' }])
    expect(parseCall(formatCall(form))).toEqual(form)
  expect(parseCall('')).toBeUndefined()
  expect(parseCall('operation=constructor')).toBeUndefined()
  expect(parseCall(`operation=GetQuote&item=${'x'.repeat(5000)}`)?.item).toHaveLength(100)
})
