import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** A proxy to a server on loopback whose connections a test can delay or break. */
export interface Proxy {
  url: string
  /** Delays each chunk of a reply from now on. */
  delay(ms: number): void
  /** Breaks all connections. */
  breakAll(): void
  close(): void
}

/**
 * Opens a proxy to the server of a URL; without one, to a server that accepts connections and never
 * replies.
 */
export async function openProxy(target?: string): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let delayMs = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    if (!target) return
    const upstream = connect(Number(new URL(target).port), '127.0.0.1')
    upstream.on('error', () => {}).on('close', () => socket.destroy())
    socket.on('close', () => upstream.destroy()).pipe(upstream)
    let sent = Promise.resolve()
    upstream.on('data', (chunk: Buffer) => {
      sent = sent.then(async () => {
        if (delayMs > 0) await setTimeout(delayMs)
        socket.write(chunk)
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const breakAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    url: toUrl(server, target),
    delay(ms) {
      delayMs = ms
    },
    breakAll,
    close() {
      breakAll()
      server.close()
    },
  }
}

function toUrl(server: Server, target = 'redis://127.0.0.1'): string {
  const address = server.address()
  const url = new URL(target)
  url.port = String(typeof address === 'object' && address ? address.port : 0)
  return url.href
}
