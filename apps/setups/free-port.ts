import { type AddressInfo, Server } from 'node:net'

// Loaded before a pasted program: its server listens on a free loopback port instead of its own,
// and prints the address.
const listen = Server.prototype.listen as (this: Server, ...args: unknown[]) => Server

Server.prototype.listen = function listenOnFreePort(this: Server, ...args: unknown[]) {
  const callback = args.find((value) => typeof value === 'function') as (() => void) | undefined
  this.once('listening', () => console.log(`free port: http://127.0.0.1:${(this.address() as AddressInfo).port}`))
  return listen.call(this, 0, '127.0.0.1', callback)
} as typeof listen
