import type { SoapRequest, SoapResponse } from '@svc/soap-envelope'
import { describe, expect, test } from 'vitest'
import { faultIn } from '../testing/post.ts'
import { shopService } from '../testing/shop.ts'

describe('documents', () => {
  const service = shopService()
  const get = async (query: string, more: Partial<SoapRequest> = {}): Promise<SoapResponse> =>
    await service.handle({ method: 'GET', query, publicUrl: 'https://h/ws', ...more })

  test.each([
    ['wsdl', 200],
    ['WSDL', 200],
    ['wsdl=', 200],
    ['a=b&wsdl', 200],
    ['wsdl=urn:test:shop', 200],
    ['xsd', 200],
    ['xsd=shop.xsd', 200],
    ['xsd=common%2Fmoney.xsd', 200],
    ['xsd=../../../etc/passwd', 404],
    ['xsd=__proto__', 404],
    ['wsdl=v9', 404],
    ['', 405],
    ['page', 405],
    ['%', 405],
  ])('GET ?%s is answered with %i', async (query, status) => {
    const answer = await get(query)
    expect(answer.status).toBe(status)
    if (status === 200) expect(answer.headers['Content-Type']).toBe('text/xml; charset=utf-8')
    if (status === 405) expect(answer.headers['Allow']).toBe('GET, HEAD, OPTIONS, POST')
  })

  test('have a tag that answers 304', async () => {
    const { headers, body } = await get('wsdl')
    expect(body).toContain('location="https://h/ws"')
    for (const ifNoneMatch of [headers['ETag'], `W/${headers['ETag']}`, `"x", ${headers['ETag']}`, '*'])
      expect(await get('wsdl', { ifNoneMatch })).toMatchObject({ status: 304, body: '' })
    expect((await get('wsdl', { ifNoneMatch: '"x"' })).status).toBe(200)
    expect((await get('wsdl', { publicUrl: 'https://other/ws' })).headers['ETag']).not.toBe(headers['ETag'])
  })

  test.each(['PUT', 'DELETE', 'PATCH', 'TRACE', 'post'])('%s is not allowed', async (method) => {
    expect(await faultIn(await service.handle({ method }))).toBe('405 Sender/MethodNotAllowed')
  })

  test('OPTIONS says what is', async () => {
    expect(await service.handle({ method: 'OPTIONS' })).toMatchObject({
      status: 204,
      headers: { Allow: 'GET, HEAD, OPTIONS, POST', 'Cache-Control': 'no-store' },
    })
  })
})
