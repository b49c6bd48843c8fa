import { soap, soapService } from '@svc/soap-envelope'
import { wsdl } from '../../setups/programs/wsdl.ts'
import type { Responses } from '../responses.ts'

const service = soapService({
  wsdl,
  operations: { greet: ({ visits }: { visits: bigint }) => ({ text: String(visits) }) },
  faultNamespace: 'urn:faults',
})

const message = (visits: string, namespace = 'http://www.w3.org/2003/05/soap-envelope'): string =>
  `<e:Envelope xmlns:e="${namespace}"><e:Body><GreetRequest xmlns="urn:greeter:v1"><visits>${visits}</visits></GreetRequest></e:Body></e:Envelope>`
const soap12 = { method: 'POST', headers: { 'content-type': 'application/soap+xml; charset=utf-8' } }
const soap11 = { method: 'POST', headers: { 'content-type': 'text/xml', soapaction: '"greet"' } }

export const responses: Responses = {
  middlewares: [soap(service, { publicUrl: 'https://api.example/ws/greeter' })],
  cases: [
    { name: '200', ...soap12, body: message('1') },
    { name: '400 fault', ...soap12, body: message('many') },
    { name: '500 fault of SOAP 1.1', ...soap11, body: message('many', 'http://schemas.xmlsoap.org/soap/envelope/') },
    { name: '415', method: 'POST', body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    { name: '405', method: 'PUT' },
    { name: '200 WSDL', path: '/?wsdl' },
  ],
}
