import { createServer, type RequestListener, type Server } from 'node:http'
import { Duplex } from 'node:stream'

/**
 * Sends a batch of requests to a server of this process, one on each connection, and waits for all
 * responses.
 */
export type SendBatch = () => Promise<void>

export const BATCH = 32

/**
 * A connection without a kernel: node:http parses and writes as usual, the bytes of responses are
 * dropped.
 */
class Connection extends Duplex {
  readonly remoteAddress = '127.0.0.1'
  #onResponse = (_head: Buffer): void => {}

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#receive(chunk)
    done()
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    for (const { chunk } of chunks) this.#receive(chunk)
    done()
  }

  /**
   * Resolves with the first bytes of the response. Rejects if the server has closed the connection.
   */
  send(request: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.destroyed) return reject(new Error('the server has closed the connection'))
      this.#onResponse = resolve
      this.push(request)
    })
  }

  // A response of these sizes begins with its headers in one write.
  #receive(chunk: Buffer): void {
    if (chunk.length > 12 && chunk.toString('latin1', 0, 5) === 'HTTP/') this.#onResponse(chunk)
  }

  setTimeout(): this {
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }
}

/**
 * Returns a function that sends a request to a handler and waits until its response is finished.
 */
export function requester(listener: RequestListener, fields: Record<string, string> = {}): () => Promise<void> {
  let done = (): void => {}
  const server = createServer((req, res) => {
    res.once('finish', () => done())
    listener(req, res)
  })
  const connection = connect(server)
  const head = Object.entries({ Host: 'localhost', ...fields }).map(([name, value]) => `${name}: ${value}\r\n`)
  const bytes = Buffer.from(`GET /employees HTTP/1.1\r\n${head.join('')}\r\n`)
  return () =>
    new Promise((resolve) => {
      done = resolve
      connection.push(bytes)
    })
}

/**
 * Returns a function that sends the requests in turn. Each batch ends with a turn of the event
 * loop, so that the work that a server defers is part of its cost. Rejects if a response has
 * another status.
 */
export function batchSender(server: Server, requests: readonly string[], status: number): SendBatch {
  // The server closes connections that send nothing for 10 seconds: they are opened by the first
  // batch.
  let connections: readonly Connection[] | undefined
  const bytes = requests.map((request) => Buffer.from(request))
  let turn = 0
  return async () => {
    connections ??= Array.from({ length: BATCH }, () => connect(server))
    const sent = connections.map((connection) => connection.send(bytes[turn++ % bytes.length] ?? Buffer.alloc(0)))
    for (const response of await Promise.all(sent))
      if (parseStatus(response) !== status) throw new Error(`expected ${status}, got ${response}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Sends one request and returns the ETag of its response. */
export async function fetchEtag(server: Server, request: string): Promise<string> {
  const head = (await connect(server).send(Buffer.from(request))).toString('latin1')
  const etag = /\r\netag: *([^\r]+)/i.exec(head)?.[1]
  if (etag === undefined) throw new Error(`the response has no ETag: ${head}`)
  return etag
}

function connect(server: Server): Connection {
  const connection = new Connection()
  server.emit('connection', connection)
  return connection
}

function parseStatus(response: Buffer): number {
  return Number(response.toString('latin1', 9, 12))
}
