import { readFileSync } from 'node:fs'
import { SoapFault, soap, soapService } from '@svc/soap-envelope'
import express, { type Express } from 'express'
import { startIfMain } from './start.ts'

interface Customer {
  id: bigint
  name: string
}

const customers = new Map<bigint, Customer>([[1n, { id: 1n, name: 'Ada Lovelace' }]])

const service = soapService({
  wsdl: readFileSync(new URL('customer.wsdl', import.meta.url), 'utf8'),
  operations: {
    getCustomer: ({ customerId }: { customerId: bigint }) => {
      const customer = customers.get(customerId)
      if (!customer) throw new SoapFault({ code: 'Sender', reason: 'There is no such customer.' })
      return { customer }
    },
    createCustomer: ({ customer }: { customer: Customer }) => {
      customers.set(customer.id, customer)
      return { customerId: customer.id }
    },
  },
})

export const app: Express = express()

app.use('/ws/customer', soap(service))

startIfMain(app, import.meta.main)
