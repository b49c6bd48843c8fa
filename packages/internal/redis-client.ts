import { inspectValue } from './options.ts'

/** Sends one command and returns its reply. Any client can be wrapped as such a function. */
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

/** A client of valkey-glide. */
export interface CustomCommandClient {
  /** Sends a command with its arguments. */
  customCommand(args: string[]): PromiseLike<unknown>
}

/**
 * A client of node-redis, ioredis, iovalkey or valkey-glide, or a function that sends a command
 * with another one.
 */
export type RedisClient = RedisSend | CallClient | SendCommandClient | CustomCommandClient

/**
 * Returns the function that sends commands with a client. Throws a `TypeError` for anything else.
 */
export function toRedisSend(owner: string, client: RedisClient): RedisSend {
  if (typeof client === 'function') return client
  if (typeof client === 'object' && client !== null) {
    // ioredis has a `sendCommand` too, with other parameters: `call` is checked first.
    if ('call' in client) return ([command = '', ...args]) => client.call(command, ...args)
    if ('sendCommand' in client) return (args) => client.sendCommand([...args])
    if ('customCommand' in client) return (args) => client.customCommand([...args])
  }
  const got = inspectValue(client)
  throw new TypeError(`${owner}: client must be one of node-redis, ioredis or valkey-glide, or a function, got ${got}`)
}

/** Whether an error reports that the server does not have a script yet. */
export function isMissingScript(error: unknown): boolean {
  // valkey-glide has its own message for NOSCRIPT.
  return error instanceof Error && /NOSCRIPT|NoScriptError/.test(error.message)
}
