import { connect } from 'node:net'
import { basic, send } from './service.ts'

const grace = { name: 'Grace Hopper', department: 'Engineering', salary: 5000 }

/** A request that is in flight until its body is sent. */
export interface SlowRequest {
  /** Resolves when the server has asked for the body. */
  waiting: Promise<void>
  sendBody(): void
  answer: Promise<string>
}

/** Starts a POST whose body is sent later. */
export function slowRequest(url: string): SlowRequest {
  const { hostname, port } = new URL(url)
  const body = JSON.stringify(grace)
  const socket = connect(Number(port), hostname)
  const fields = `Authorization: ${basic('ada')}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  socket.write(`POST /employees HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n${fields}\r\n\r\n`)
  let received = ''
  const waiting = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      received += chunk
      if (received.startsWith('HTTP/1.1 100')) resolve()
    })
  })
  const answer = new Promise<string>((resolve) => socket.on('close', () => resolve(received)))
  return { waiting, sendBody: () => socket.write(body), answer }
}

/** Resolves when the server takes no new connections. */
export async function untilRefused(url: string): Promise<void> {
  for (;;) {
    const answer = await send(url, { path: '/health/live' }).catch(() => undefined)
    if (!answer) return
  }
}
