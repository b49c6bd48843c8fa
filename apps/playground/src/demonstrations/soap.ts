import { type Demonstrations, publicly, type StepShorthand, step } from './steps.ts'

const ENVELOPE = 'http://www.w3.org/2003/05/soap-envelope'
const CUSTOMER = 'http://svc.example/ws/customer/v1'
const PRICE = 'http://svc.example/ws/price/v1'
const TYPE = 'application/soap+xml; charset=utf-8'

const call = (body: string, head = ''): StepShorthand => ({
  method: 'POST',
  sends: { 'Content-Type': TYPE },
  text: `<e:Envelope xmlns:e="${ENVELOPE}">${head}<e:Body>${body}</e:Body></e:Envelope>`,
})
const getCustomer = `<GetCustomerRequest xmlns="${CUSTOMER}"><customerId>1</customerId></GetCustomerRequest>`
const missing = getCustomer.replace('>1<', '>999999<')
const price = `<GetPrice xmlns="${PRICE}"><Item>Laptop</Item><Category>Electronics</Category></GetPrice>`
const event = `<event><type>demo</type><timestamp>2026-01-01T00:00:00Z</timestamp><source>map</source></event>`
const log = `<LogEventRequest xmlns="${CUSTOMER}">${event}</LogEventRequest>`
const notify = `<SendNotificationRequest xmlns="${CUSTOMER}"><message>Hello</message></SendNotificationRequest>`
const create = `<CreateCustomerRequest xmlns="${CUSTOMER}"><customer><id>9{run}</id><name>Map</name><email>map{run}@example.org</email></customer></CreateCustomerRequest>`
const credentials = `<e:Header><Authentication xmlns="${CUSTOMER}"><Username>ada</Username><Password>ada-demo</Password></Authentication></e:Header>`

/** The SOAP endpoints. */
export const soap: Demonstrations = {
  '1-soap': [publicly('/ws/customer?wsdl', { body: '<wsdl:definitions|<definitions' })],
  '1-4': [publicly('/ws/customer?wsdl', { body: 'types.*message.*portType.*binding.*service' })],
  '2-price': [step('/ws/PriceService', { ...call(price), body: '<[^>]*Price [^>]*currency="EUR"[^>]*>999\\.00' })],
  '4.2-address': [publicly('/ws/customer?wsdl', { headers: { 'content-type': 'xml' } })],
  '4.2-method': [step('/ws/customer', { method: 'DELETE', status: 405 })],
  '4.2-type': [step('/ws/customer', { ...call(getCustomer), sends: { 'Content-Type': 'text/plain' }, status: 415 })],
  '4.2-response': [
    step('/ws/customer', {
      ...call(getCustomer),
      headers: { 'content-type': '^application/soap\\+xml; charset=utf-8' },
    }),
  ],
  '4.2-envelope': [step('/ws/customer', { ...call(getCustomer), body: ENVELOPE.replaceAll('.', '\\.') })],
  '4.2-binding': [publicly('/ws/customer?wsdl', { body: 'style="document".*use="literal"' })],
  '4.2-namespace': [publicly('/ws/customer?wsdl', { body: `targetNamespace="${CUSTOMER}"` })],
  '4.2-structure': [
    publicly('/ws/customer?wsdl', { body: 'name="parameters".*CustomerPortType.*CustomerBinding.*CustomerService' }),
  ],
  '4.2-getCustomer': [step('/ws/customer', { ...call(getCustomer), body: 'GetCustomerResponse.*customer' })],
  '4.2-createCustomer': [
    step('/ws/customer', { ...call(create), body: '9{run}<' }),
    step('/customers/9{run}', { method: 'DELETE', status: 204 }),
  ],
  '4.2-GetPrice': [step('/ws/PriceService', { ...call(price), body: 'Availability>IN_STOCK<' })],
  '4.2-logEvent': [step('/ws/customer', { ...call(log), status: 202, body: '' })],
  '4.2-sendNotification': [step('/ws/customer', { ...call(notify), status: 202, body: '' })],
  '4.2-1': [publicly('/ws/customer?wsdl', { body: 'soapAction="getCustomer"' })],
  '4.2-2': [step('/ws/customer', { ...call(log), status: 202, body: '' })],
  '4.2-3': [publicly('/ws/customer?wsdl', { body: 'operation name="logEvent"' })],
  '4.2-4': [publicly('/ws/customer?xsd=customer-v1.xsd', { body: 'timestamp' })],
  '5-5': [publicly('/ws/customer', { ...call(getCustomer, credentials), body: 'GetCustomerResponse' })],
  '7-5': [step('/ws/customer', { ...call(missing), status: 400, body: 'Fault>.*NotFound' })],
  '9-3': [step('/ws/customer', { ...call(getCustomer), body: `GetCustomerResponse xmlns[^>]*${CUSTOMER}` })],
}
