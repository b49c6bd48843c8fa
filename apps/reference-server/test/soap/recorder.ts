import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy between clients and the service that records every envelope that the service sends. */
export interface Recorder {
  url: string
  answers: string[]
  close(): Promise<void>
}

/** Starts a recorder in front of a service. */
export async function startRecorder(target: string): Promise<Recorder> {
  const { hostname, port } = new URL(target)
  const answers: string[] = []
  const server = createServer((req, res) => {
    const { method, url: path, headers } = req
    const onward = request({ hostname, port, method, path, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const body = Buffer.concat(chunks)
        const { 'transfer-encoding': _, ...fields } = answer.headers
        if (body.includes('<env:Envelope')) answers.push(body.toString())
        res.writeHead(answer.statusCode ?? 502, fields).end(body)
      })
    })
    req.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, answers, close: () => new Promise((resolve) => server.close(() => resolve())) }
}
