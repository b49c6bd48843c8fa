import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * Sends these bytes over a new connection and returns what the server sends until the connection is
 * closed.
 */
export function exchange(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'))
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk)).on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}

/** A response as it was on the wire. */
export interface RawResponse {
  status: number
  head: string
  body: string
}

/** Splits what a connection returned into responses. Bodies need Content-Length or none. */
export function splitResponses(bytes: string): RawResponse[] {
  const responses: RawResponse[] = []
  for (let rest = bytes; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n')
    const head = rest.slice(0, end)
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
    if (end === -1 || !status) throw new Error(`not a response: ${rest}`)
    const length = readLength(head)
    responses.push({ status, head, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
  return responses
}

function readLength(head: string): number {
  return Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
}

/** A connection that stays open. */
export interface RawConnection {
  write(text: string): void
  /** Returns the next responses, whose bodies are JSON, as soon as all of them are complete. */
  read(count: number): Promise<RawResponse[]>
  close(): void
}

/** Opens a connection that sends requests whenever the test does. */
export async function openConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, noDelay: true })
  let bytes = ''
  let onData = (): void => {}
  let onError = (_error: Error): void => {}
  socket.on('error', (error) => onError(error))
  socket.on('data', (chunk) => {
    bytes += chunk.toString('latin1')
    onData()
  })
  await once(socket, 'connect')
  const take = (count: number): RawResponse[] | undefined => {
    if (!bytes.endsWith('}') || bytes.split('HTTP/1.1 ').length <= count) return undefined
    const responses = splitResponses(bytes)
    if (responses.some(({ head, body }) => body.length < readLength(head))) return undefined
    bytes = ''
    return responses
  }
  return {
    write: (text) => void socket.write(text),
    read: (count) =>
      new Promise((resolve, reject) => {
        onError = reject
        onData = () => {
          const responses = take(count)
          if (!responses) return
          // What follows is for the next call.
          onData = () => {}
          resolve(responses)
        }
        onData()
      }),
    close: () => void socket.destroy(),
  }
}
