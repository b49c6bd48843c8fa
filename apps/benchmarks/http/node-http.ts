import { createServer } from 'node:http'
import { inMemory, plainItem, plainPage } from './employees.ts'
import { serve } from './serve.ts'

// The floor: no framework, no router, no checks.
const { find, page, count, insert } = inMemory()

const server = createServer((req, res) => {
  const { url = '' } = req
  const answer = (status: number, body: object): void => {
    const text = JSON.stringify(body)
    res
      .writeHead(status, { 'Content-Type': 'application/hal+json', 'Content-Length': Buffer.byteLength(text) })
      .end(text)
  }
  if (req.method === 'POST') {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => answer(201, plainItem(insert(JSON.parse(Buffer.concat(chunks).toString())))))
    return
  }
  if (url.startsWith('/employees?')) return answer(200, plainPage(page(1, 20).map(plainItem), 1, count()))
  const employee = find(Number(url.slice('/employees/'.length)))
  if (employee) answer(200, plainItem(employee))
  else answer(404, { status: 404, error: 'Not Found', message: 'There is no such employee.', path: url })
})

serve(server)
