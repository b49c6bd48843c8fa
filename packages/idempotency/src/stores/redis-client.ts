/** Sends one command; every client can be made to fit this in one line. */
export type RedisSend = (args: readonly string[]) => PromiseLike<unknown>

/** A client of ioredis or iovalkey. */
export interface CallClient {
  /** Sends a command with its arguments. */
  call(command: string, ...args: string[]): PromiseLike<unknown>
}

/** A client of node-redis. */
export interface SendCommandClient {
  /** Sends a command with its arguments. */
  sendCommand(args: string[]): PromiseLike<unknown>
}

/** A client of node-redis, ioredis or iovalkey as it is, or a function that sends a command with any other. */
export type RedisClient = RedisSend | CallClient | SendCommandClient

/** How a client sends a command; `undefined` for what is no client. */
export function senderOf(client: RedisClient): RedisSend | undefined {
  if (typeof client === 'function') return client
  if (typeof client !== 'object' || client === null) return undefined
  // ioredis has a `sendCommand` too, for objects of its own, which an array would break: `call` goes first.
  if ('call' in client) return ([command = '', ...rest]) => client.call(command, ...rest)
  return 'sendCommand' in client ? (args) => client.sendCommand([...args]) : undefined
}
