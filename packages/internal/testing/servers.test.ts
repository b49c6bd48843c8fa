import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer } from 'node:net'
import { expect, test, vi } from 'vitest'
import { onFreePort, startOwnRedis, startPostgres, startRedis } from './servers.ts'

async function firstBytes(url: string, greeting: Buffer): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = createConnection(Number(port), hostname)
  socket.write(greeting)
  const chunk = await new Promise<Buffer>((resolve, reject) => socket.once('data', resolve).once('error', reject))
  socket.destroy()
  return chunk.toString()
}

test('starts and stops a Redis', async (context) => {
  const redis = await startRedis()
  if (!redis) return context.skip('redis-server is not installed')
  expect(await firstBytes(redis.url, Buffer.from('PING\r\n'))).toBe('+PONG\r\n')
  await redis.stop()
})

test('kills a Redis, starts another one on its port, and stops a paused one', async (context) => {
  const first = await startOwnRedis()
  if (!first) return context.skip('redis-server is not installed')
  await first.signal('SIGKILL')
  await expect(firstBytes(first.url, Buffer.from('PING\r\n'))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  const second = await startOwnRedis(first.port)
  expect(second?.url).toBe(first.url)
  expect(await firstBytes(first.url, Buffer.from('PING\r\n'))).toBe('+PONG\r\n')
  await second?.signal('SIGSTOP')
  await second?.stop()
  await first.stop()
})

test('starts and stops a PostgreSQL', async (context) => {
  const postgres = await startPostgres()
  if (!postgres) return context.skip('PostgreSQL is not installed')
  const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
  expect(await firstBytes(postgres.url, sslRequest)).toBe('N')
  await postgres.stop()
})

test('a Redis that a failed test leaves running ends with its process, and holds no output', async (context) => {
  const source = `import { startOwnRedis } from ${JSON.stringify(import.meta.resolve('./servers.ts'))}
    console.log((await startOwnRedis())?.url)`
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', source])
  const [printed] = (await once(child.stdout, 'data')) as [Buffer]
  const url = printed.toString().trim()
  child.kill()
  await once(child, 'close')
  if (url === 'undefined') return context.skip('redis-server is not installed')
  await expect.poll(() => firstBytes(url, Buffer.from('PING\r\n')).catch(String)).toContain('ECONNREFUSED')
})

test('a server whose port is taken is started on another one', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port: taken } = holder.address() as AddressInfo
  const ports: number[] = []
  const server = await onFreePort(async (free) => {
    const port = ports.length === 0 ? taken : free
    ports.push(port)
    const started = createServer().listen(port, '127.0.0.1')
    await once(started, 'listening')
    return started
  })
  expect(ports).toEqual([taken, (server.address() as AddressInfo).port])
  server.close()
  holder.close()
})

test('a server that fails for another reason is not started again', async () => {
  const run = vi.fn().mockRejectedValue(new Error('no such option'))
  await expect(onFreePort(run)).rejects.toThrow('no such option')
  expect(run).toHaveBeenCalledOnce()
})

test('says why a Redis did not start', async (context) => {
  const redis = await startOwnRedis()
  if (!redis) return context.skip('redis-server is not installed')
  await expect(startOwnRedis(redis.port)).rejects.toThrow(/ended with 1: .*address already in use/is)
  await redis.stop()
})
