import { fileURLToPath } from 'node:url'
import { soap } from '@svc/soap-envelope'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen, type RunningHost } from '../../../internal/testing/hosts.ts'
import { JAXWS_CLASSPATH, needTool, run, runOnce } from '../../../internal/testing/programs.ts'
import { shopService } from '../testing/shop.ts'

const python = needTool('zeep for Python', ['python3', '/usr/bin/python3'], ['-c', 'import zeep'])
const jaxwsTools = needTool('JAX-WS', ['wsimport'], ['-version'])
const file = (name: string): string => fileURLToPath(new URL(`../testing/${name}`, import.meta.url))
const ACTION = 'urn:test:shop:ShopPortType:getCustomerResponse'

let host: RunningHost
let url: string
beforeAll(async () => {
  const service = shopService(
    { addressing: true },
    {
      // The name of the customer is the MessageID of the request.
      getCustomer: ({ customerId }: { customerId: bigint }, { envelope }) => {
        const id = envelope.headers.find(({ element }) => element.local === 'MessageID')
        return { customer: { id: customerId, name: id?.element.text, email: '' } }
      },
    },
  )
  const middleware = soap(service)
  host = await listen((req, res) => middleware(req, res, () => res.end()))
  url = `${host.url}/shop`
})
afterAll(() => host.close())

const zeep = runOnce('zeep for Python', python, (python) => run(python, [file('zeep_addressing.py'), url]))

test('zeep/addressing names its message, and finds it in what relates to it', async (context) => {
  const seen = await zeep(context)
  for (const port of ['ShopPort', 'ShopPortSoap11']) {
    expect(seen.get(`${port} customer`)).toBe(7)
    expect(seen.get(`${port} relates`)).toBe(true)
    expect(seen.get(`${port} action`)).toBe(ACTION)
  }
})

const jaxws = runOnce('JAX-WS', jaxwsTools, () =>
  run('java', ['-cp', JAXWS_CLASSPATH, file('java/AddressedCalls.java'), url]),
)

test('JAX-WS/addressing names its message, and requires that of the response', async (context) => {
  const seen = await jaxws(context)
  for (const version of ['1.1', '1.2']) {
    expect(seen.get(`${version} customer`)).toMatch(/^uuid:/)
    expect(seen.get(`${version} RelatesTo`)).toBe(seen.get(`${version} customer`))
    expect(seen.get(`${version} Action`)).toBe(ACTION)
  }
})
