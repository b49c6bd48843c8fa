import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../src/config.ts'
import { startProcess } from './process.ts'
import { basic, emptyDatabase, type Service, send, startService, toLiteral } from './service.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-first-'))
afterAll(() => rmSync(folder, { recursive: true }))
const PASSWORD = 'correct horse battery'

describe('a database without users', () => {
  const signIn = (service: Service, password: string, status: number): Promise<unknown> => {
    const headers = { authorization: basic('admin', password) }
    return service.check({ path: '/users?size=1', headers }, { status })
  }

  test('gets an administrator, who makes the others; later passwords change nothing', async () => {
    const env = { SVC_DEMO: 'off', SVC_DATA_DIR: join(folder, 'data') }
    const file = join(folder, 'password')
    writeFileSync(file, `${PASSWORD}\n`)
    const first = await startService({ ...env, SVC_ADMIN_PASSWORD_FILE: file })
    await signIn(first, PASSWORD, 200)
    await signIn(first, `${PASSWORD}\n`, 401)
    const headers = { authorization: basic('admin', PASSWORD) }
    const json = { username: 'ruth', email: 'ruth@example.com', password: PASSWORD, roles: ['staff'] }
    await first.check({ method: 'POST', path: '/users', json, headers }, { status: 201 })
    const { text } = await first.check({ path: '/users/1', headers }, { status: 200, body: { roles: ['admin'] } })
    await first.check({ method: 'PUT', path: '/users/1', json: JSON.parse(text), headers }, { status: 200 })
    await first.running.stop()

    const second = await startService({ ...env, SVC_ADMIN_PASSWORD: 'another long password' })
    await signIn(second, PASSWORD, 200)
    await signIn(second, 'another long password', 401)
    await second.check({ as: 'ada', path: '/users' }, { status: 401 })
    await second.running.stop()
  })

  test('has no user of a name that can be guessed where no password is set', async () => {
    const service = await startService({ SVC_DEMO: 'off' })
    for (const password of ['', 'admin', 'undefined']) await signIn(service, password, 401)
    await service.running.stop()
  })

  test('counts as one that has only the users of the demo, who cannot sign in without it', async () => {
    const env = { SVC_DATA_DIR: join(folder, 'tried') }
    const demo = await startService(env)
    await demo.check({ as: 'ada', path: '/users' }, { status: 200 })
    await demo.running.stop()

    const service = await startService({ ...env, SVC_DEMO: 'off', SVC_ADMIN_PASSWORD: PASSWORD })
    for (const as of ['ada', 'adam', 'bob']) await service.check({ as, path: '/users' }, { status: 401 })
    await signIn(service, PASSWORD, 200)
    await service.running.stop()
    const again = await startService(env)
    await again.check({ as: 'ada', path: '/users' }, { status: 200 })
    await again.running.stop()
  })

  test('that has the demo users gets none', async () => {
    const service = await startService({ SVC_ADMIN_PASSWORD: PASSWORD })
    await signIn(service, PASSWORD, 401)
    await service.running.stop()
  })
})

const database = await emptyDatabase()

test.skipIf(database === undefined)(
  'of several processes that start together one makes it, and none tells (needs PostgreSQL)',
  async () => {
    const env = { DATABASE_URL: database, SVC_DEMO: 'off', SVC_ADMIN_PASSWORD: PASSWORD }
    const processes = await Promise.all([startProcess(env), startProcess(env), startProcess(env)])
    for (const { url } of processes) {
      const call = { path: '/users', headers: { authorization: basic('admin', PASSWORD) } }
      expect(JSON.parse((await send(url, toLiteral(call))).text).page.totalElements).toBe(1)
    }
    for (const { child } of processes) child.kill('SIGTERM')
    await Promise.all(processes.map(({ exited }) => exited))
    const output = processes.map((one) => one.output().stdout + one.output().stderr).join('')
    expect(output.match(/created the first user/g)).toHaveLength(1)
    expect(output).not.toContain(PASSWORD)
  },
)

test.each([
  [{ SVC_ADMIN_PASSWORD: 'tooshort-11' }, 'must have 12 to 128 characters'],
  [{ SVC_ADMIN_PASSWORD: 'x'.repeat(129) }, 'must have 12 to 128 characters'],
  [{ SVC_ADMIN_PASSWORD: PASSWORD, SVC_ADMIN_PASSWORD_FILE: '/dev/null' }, 'keep one of them'],
  [{ SVC_ADMIN_PASSWORD_FILE: '/nowhere' }, 'is not a file'],
])('%o is refused without telling what it is', (env, problem) => {
  let message = ''
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) message = error.message
  }
  expect(message).toContain(problem)
  expect(message).not.toMatch(/tooshort|xxx|horse/)
})
