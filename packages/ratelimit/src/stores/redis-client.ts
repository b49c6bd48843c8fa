/** Sends one command and gives its reply: all that a store needs of a client. */
export type RedisSend = (args: readonly string[]) => PromiseLike<unknown>

/** ioredis and iovalkey. */
interface CallClient {
  call(command: string, ...args: string[]): PromiseLike<unknown>
}

/** node-redis. */
interface SendCommandClient {
  sendCommand(args: string[]): PromiseLike<unknown>
}

/** valkey-glide. */
interface CustomCommandClient {
  customCommand(args: string[]): PromiseLike<unknown>
}

/** A client of any of the four libraries, or a function of your own. */
export type RedisClient = RedisSend | CallClient | SendCommandClient | CustomCommandClient

/** Finds out how a client sends. Throws a `TypeError` on what is none. */
export function sendOf(client: RedisClient): RedisSend {
  if (typeof client === 'function') return client
  // ioredis has a `sendCommand` too, of another kind: `call` is asked for first.
  if ('call' in client) return ([command = '', ...args]) => client.call(command, ...args)
  if ('sendCommand' in client) return (args) => client.sendCommand([...args])
  if ('customCommand' in client) return (args) => client.customCommand([...args])
  throw new TypeError('ratelimit: redisStore needs a client of node-redis, ioredis or valkey-glide, or a function')
}
