import { connect } from 'node:net'

/** Sends these bytes over a new connection and returns what the server sends until the connection is closed. */
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
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
    responses.push({ status, head, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
  return responses
}
