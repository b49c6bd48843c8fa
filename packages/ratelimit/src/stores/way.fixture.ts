import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** A way to a server on loopback that a test can make worse. */
export interface Way {
  url: string
  /** From now on each piece of an answer takes so long. */
  delay(ms: number): void
  /** Breaks all connections. */
  tear(): void
  close(): void
}

/** Opens a way to the server of a URL; without one, to a server that accepts and never answers. */
export async function openWay(target?: string): Promise<Way> {
  const sockets = new Set<Socket>()
  let delayMs = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    if (!target) return
    const upstream = connect(Number(new URL(target).port), '127.0.0.1')
    upstream.on('error', () => {}).on('close', () => socket.destroy())
    socket.on('close', () => upstream.destroy()).pipe(upstream)
    let before = Promise.resolve()
    upstream.on('data', (piece: Buffer) => {
      before = before.then(async () => {
        if (delayMs > 0) await setTimeout(delayMs)
        socket.write(piece)
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const tear = (): void => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    url: toUrl(server, target),
    delay(ms) {
      delayMs = ms
    },
    tear,
    close() {
      tear()
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
