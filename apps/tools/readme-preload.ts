import { get } from 'node:http'
import { type AddressInfo, Server } from 'node:net'

// Loaded before a README block: its server takes a free port of loopback, is asked once for `/`,
// and then it ends.
const listen = Server.prototype.listen as (this: Server, ...args: unknown[]) => Server

Server.prototype.listen = function listenOnFreePort(this: Server, ...args: unknown[]) {
  const callback = args.find((value) => typeof value === 'function') as (() => void) | undefined
  this.once('listening', () => {
    const { port } = this.address() as AddressInfo
    get({ port, host: '127.0.0.1', path: '/' }, (res) => {
      res.resume()
      res.on('end', () => setImmediate(() => process.exit((res.statusCode ?? 500) < 500 ? 0 : 3)))
    }).on('error', () => process.exit(4))
  })
  return listen.call(this, 0, '127.0.0.1', callback)
} as typeof listen
