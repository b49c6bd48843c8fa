import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { soap, soapService } from '@svc/soap-envelope'
import { soapClient } from '@svc/soap-envelope/client'
import { generateRows, type Row, rows } from './rows.ts'

// Sends 100 MB of rows to a service (`in`), or gets them from one (`out`), both in this process.
// Prints the rows and bytes that arrived, and by how much memory has grown.
const COUNT = 680_000

const service = soapService({
  wsdl: rows,
  streamedOperations: ['put'],
  operations: {
    get: ({ limit }: { limit: number }) => ({ title: 'rows', row: generateRows(limit) }),
    put: async ({ row }: { row: AsyncIterable<Row> }) => {
      let total = 0
      for await (const _ of row) total++
      return { total }
    },
    count: () => ({ total: 0 }),
  },
})
const middleware = soap(service)
let bytes = 0
const server = createServer((req, res) => {
  res.once('close', () => {
    bytes += req.socket.bytesRead + req.socket.bytesWritten
  })
  middleware(req, res, () => res.end())
})
server.listen(0)
const client = soapClient(rows, {
  endpoint: `http://localhost:${(server.address() as AddressInfo).port}/`,
  timeoutMs: 300_000,
})

async function transfer(direction: string | undefined, count: number): Promise<number> {
  if (direction === 'in') {
    const { total } = (await client.call('put', { title: 't', row: generateRows(count) })) as { total: bigint }
    return Number(total)
  }
  let received = 0
  const { output } = await client.stream('get', { limit: count })
  for await (const _ of (output as { row: AsyncIterable<Row> }).row) received++
  return received
}

// What the engine and its libraries need anyway is there after a first, short transfer.
await transfer(process.argv[2], 20_000)
await setTimeout(100)
const before = process.memoryUsage.rss()
bytes = 0
let peak = before
const measure = (): void => {
  peak = Math.max(peak, process.memoryUsage.rss())
}
const timer = setInterval(measure, 10)
const received = await transfer(process.argv[2], COUNT)
measure()
clearInterval(timer)
await setTimeout(50)
process.stdout.write(JSON.stringify({ received, bytes, growth: peak - before, peak }))
process.exit()
