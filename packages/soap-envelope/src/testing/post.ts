import { parseEnvelope, type SoapRequest, type SoapResponse, type SoapService } from '@svc/soap-envelope'
import { expect } from 'vitest'

/** Content-Type of a SOAP 1.2 message. */
export const TYPE_12 = 'application/soap+xml; charset=utf-8'

/** Sends a message to a service, without HTTP. */
export async function post(service: SoapService, xml: string, more: Partial<SoapRequest> = {}): Promise<SoapResponse> {
  return await service.handle({ method: 'POST', contentType: TYPE_12, path: '/ws', body: Buffer.from(xml), ...more })
}

/** Code and subcode of the fault in a response, with its HTTP status. */
export async function faultIn(answer: SoapResponse): Promise<string> {
  const { body } = await parseEnvelope(Buffer.from(answer.body))
  expect(body?.local, answer.body).toBe('Fault')
  const values = [...answer.body.matchAll(/<(?:env:Value|faultcode)[^>]*>[^:<]*:?([^<]*)</g)].map(([, name]) => name)
  return `${answer.status} ${values.join('/')}`
}
