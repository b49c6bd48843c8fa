import { SaxesParser } from 'saxes'
import { type Customer, createOperations, namespace } from './customers.ts'

// Bare events of the parser, and strings put together: what nothing can be quicker than.
export const operations = createOperations(
  (bytes) => {
    const parser = new SaxesParser({ xmlns: true, position: false })
    parser.on('opentag', () => {})
    parser.on('text', () => {})
    parser.on('closetag', () => {})
    parser.write(bytes.toString()).close()
  },
  (customers) => {
    let text = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><ListCustomersResponse xmlns="${namespace}">`
    for (const { id, name, email, since, balance } of customers as Customer[])
      text += `<customer><id>${id}</id><name>${name}</name><email>${email}</email><since>${since}</since><balance>${balance}</balance></customer>`
    return Buffer.from(`${text}</ListCustomersResponse></s:Body></s:Envelope>`)
  },
)
