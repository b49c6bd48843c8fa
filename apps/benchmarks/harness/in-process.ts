import { createServer, type RequestListener } from 'node:http'
import { Duplex } from 'node:stream'

/** A connection that ends in this process: the parser and the serialiser of HTTP are there, the kernel is not. */
class Wire extends Duplex {
  readonly remoteAddress = '127.0.0.1'
  override _read(): void {}
  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done()
  }
  override _writev(_chunks: unknown, done: () => void): void {
    done()
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

/** Gives the function that sends a request to a handler and waits until its response is finished. */
export function requester(listener: RequestListener, fields: Record<string, string> = {}): () => Promise<void> {
  let done = (): void => {}
  const server = createServer((req, res) => {
    res.once('finish', () => done())
    listener(req, res)
  })
  const wire = new Wire()
  server.emit('connection', wire)
  const head = Object.entries({ Host: 'localhost', ...fields }).map(([name, value]) => `${name}: ${value}\r\n`)
  const bytes = Buffer.from(`GET /employees HTTP/1.1\r\n${head.join('')}\r\n`)
  return () =>
    new Promise((resolve) => {
      done = resolve
      wire.push(bytes)
    })
}
