import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { emptyDatabase } from '../../test/service.ts'
import { batch, oncePerTurn, openPostgres } from './postgres.ts'
import { isPassing } from './violation.ts'

const databaseUrl = await emptyDatabase()

test.skipIf(databaseUrl === undefined)(
  'a server that falls silent keeps no query and no close waiting (needs PostgreSQL)',
  async () => {
    const target = new URL(databaseUrl ?? '')
    const { hostname, port } = target
    let isSilent = false
    const sockets: Socket[] = []
    const forward = (from: Socket, to: Socket): void => {
      from.on('data', (bytes) => !isSilent && to.write(bytes)).on('error', () => {})
      from.on('close', () => !isSilent && to.destroy())
      sockets.push(from)
    }
    const proxy = createServer((client) => {
      const server = connect(Number(port), hostname)
      forward(client, server)
      forward(server, client)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    target.port = String((proxy.address() as AddressInfo).port)
    const database = await openPostgres(target.href, 500)
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const transaction = database.transaction(async (tx) => {
      await tx.get('select 1')
      isSilent = true
      begin()
      await tx.get('select 2')
    })
    await begun
    const failures = await Promise.allSettled([transaction, database.get('select 3')])
    for (const failure of failures) expect(failure).toMatchObject({ status: 'rejected' })
    for (const failure of failures) expect(failure.status === 'rejected' && isPassing(failure.reason)).toBe(true)
    await database.close()
    for (const socket of sockets) socket.destroy()
    proxy.close()
  },
)

test('work begins when all calls of the turn were made, and once for each turn', async () => {
  const runs: ((result: number) => void)[] = []
  const work = oncePerTurn(() => new Promise<number>((resolve) => void runs.push(resolve)))
  const first = [work(), work()]
  await Promise.resolve()
  first.push(work())
  expect(runs).toHaveLength(0)
  await setImmediate()
  const later = work()
  await setImmediate()
  expect(runs).toHaveLength(2)
  runs[1]?.(2)
  runs[0]?.(1)
  expect(await Promise.all([...first, later])).toEqual([1, 1, 1, 2])
})

test('a failure is that of all calls of its turn, and of no other', async () => {
  const reason = new Error('failed')
  const runs = [() => Promise.reject(reason), () => Promise.resolve('done')]
  const work = oncePerTurn(() => runs.shift()?.() ?? Promise.resolve('too often'))
  expect(await Promise.allSettled([work(), work()])).toMatchObject([{ reason }, { reason }])
  expect(await work()).toBe('done')
})

test('keys of a turn are read together, equal ones once', async () => {
  const asked: string[][] = []
  const find = batch((keys: readonly string[]) => {
    asked.push([...keys])
    const found = keys.filter((key) => key !== 'missing')
    return Promise.resolve(new Map(found.map((key) => [key, key.toUpperCase()])))
  })
  expect(await Promise.all(['a', 'missing', 'b', 'a'].map(find))).toEqual(['A', undefined, 'B', 'A'])
  expect(await find('a')).toBe('A')
  expect(asked).toEqual([['a', 'missing', 'b'], ['a']])
})
