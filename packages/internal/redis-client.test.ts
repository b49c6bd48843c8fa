import { expect, test } from 'vitest'
import { type RedisClient, toRedisSend } from './redis-client.ts'

const reply = (...args: unknown[]): Promise<unknown> => Promise.resolve(args)

test.each<[string, RedisClient, unknown]>([
  ['a function', reply, [['SET', 'k', 'v']]],
  ['ioredis, which has another sendCommand too', { call: reply, sendCommand: reply }, ['SET', 'k', 'v']],
  ['node-redis', { sendCommand: reply }, [['SET', 'k', 'v']]],
  ['valkey-glide', { customCommand: reply }, [['SET', 'k', 'v']]],
])('sends a command with %s', async (_name, client, sent) => {
  expect(await toRedisSend('x', client)(['SET', 'k', 'v'])).toEqual(sent)
})

test('calls methods on their client', async () => {
  const client = {
    prefix: 'own ',
    sendCommand(args: string[]) {
      return Promise.resolve(this.prefix + args.join(' '))
    },
  }
  expect(await toRedisSend('x', client)(['GET', 'k'])).toBe('own GET k')
})

test.each([[undefined], [null], ['redis://localhost'], [{}]])('throws for %j', (client) => {
  expect(() => toRedisSend('ratelimit: redisStore', client as never)).toThrow(
    /^ratelimit: redisStore: client must be one of node-redis, ioredis or valkey-glide, or a function, got /,
  )
})
