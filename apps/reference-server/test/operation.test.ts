import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Config, type Environment, readConfig } from '../src/config.ts'
import { type Service, send, startService } from './service.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const guide = read('../../docs/guides/operation.md')
const compose = read('../compose.yaml')
const dockerfile = read('../Dockerfile')

/** The names that a reader of the environment looks at. */
function namesRead(env: Environment = {}): string[] {
  const names = new Set<string>()
  const watched = new Proxy(env, {
    get: (target, name) => {
      names.add(String(name))
      return target[String(name)]
    },
  })
  readConfig(watched)
  return [...names].sort()
}

describe('the guide of operation', () => {
  const rows = [...guide.matchAll(/^\| `([A-Z_]+)` \| (.*?) \|/gm)].map(([, name = '', fallback = '']) => ({
    name,
    fallback,
  }))

  test('names every variable that the configuration reads, and no other', () => {
    expect(rows.map(({ name }) => name).sort()).toEqual(namesRead())
  })

  test('names the defaults', () => {
    const config: Config = readConfig({})
    const defaults: Record<string, unknown> = {
      PORT: config.port,
      HOST: config.host,
      SVC_JWT_AUDIENCE: config.jwtAudience,
      LOG_LEVEL: config.logLevel,
      SVC_RATE_LIMIT: config.rateLimit,
      SVC_RATE_LIMIT_ANONYMOUS: config.rateLimitAnonymous,
      LOG_FORMAT: config.logFormat,
      SVC_MAINTENANCE: config.maintenance ? 'on' : 'off',
    }
    const written = rows.filter(({ fallback }) => fallback.startsWith('`'))
    expect(Object.fromEntries(written.map(({ name, fallback }) => [name, fallback]))).toEqual(
      Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, `\`${value}\``])),
    )
  })

  describe('of a running service', () => {
    let service: Service
    beforeAll(async () => {
      service = await startService()
      await service.check({ as: 'ada', path: '/employees/1' }, { status: 200 })
    })
    afterAll(() => service.running.stop())

    test('names metrics that are there, all of our own', async () => {
      const { text } = await send(service.running.adminUrl, { path: '/metrics' })
      const own = [...text.matchAll(/^# TYPE (svc_\w+) /gm)].map(([, name]) => name)
      const named = [...guide.matchAll(/^\| `(svc_\w+)` \|/gm)].map(([, name]) => name)
      expect(named.sort()).toEqual(own.sort())
      for (const [name] of guide.matchAll(/\b(?:nodejs|process)_\w+/g)) expect(text).toContain(`# TYPE ${name} `)
      expect(text).toMatch(/svc_request_seconds_count\{method="GET",route="\/employees\/\{id\}",status="200"\} 1/)
    })

    test('names paths of health that answer', async () => {
      const named = [...guide.matchAll(/`GET (\/[a-z/]+)`/g)].map(([, path = '']) => path)
      expect(named).toEqual(['/live', '/ready', '/health', '/health/live', '/health/ready', '/metrics'])
      for (const path of named) {
        const base = path.startsWith('/health') ? service.url : service.running.adminUrl
        expect((await send(base, { path })).status, path).toBe(200)
      }
    })
  })
})

describe('the files for containers', () => {
  const block = /environment:\n((?: {4}(?:#.*|[A-Z_]+: .*)\n)+)/.exec(compose)?.[1] ?? ''
  const environment = Object.fromEntries(
    [...block.matchAll(/^ {4}([A-Z_]+): (.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value.replace(/\$\{\w+:-(\w+)\}/g, '$1').replace(/\$\{\w+:\?[^}]*\}/g, 'not-so-secret'),
    ]),
  )
  const image = Object.fromEntries(
    [...(/^ENV NODE_ENV(.*)$/m.exec(dockerfile)?.[0] ?? '').matchAll(/(\w+)=(\S+)/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  )

  test('set a configuration that the service takes', () => {
    expect(Object.keys(environment)).toContain('DATABASE_URL')
    const config = readConfig({ ...image, ...environment })
    expect(config).toMatchObject({ host: '0.0.0.0', port: 3000, adminPort: 3001, demo: false, logFormat: 'json' })
    for (const name of Object.keys({ ...image, ...environment }))
      if (name !== 'NODE_ENV') expect(namesRead()).toContain(name)
  })

  test('need the variables that the commands for them set', () => {
    const required = new Set([...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name))
    for (const text of [guide, compose]) {
      const [, command = ''] = /((?:.*\n){2}.*)docker compose up --build/.exec(text) ?? []
      expect(new Set([...command.matchAll(/\b(SVC_\w+)=/g)].map(([, name]) => name))).toEqual(required)
    }
  })

  test('agree on ports, names and networks', () => {
    const nginx = read('../deploy/nginx.conf')
    for (const [, name = '', port] of nginx.matchAll(/server (\w+):(\d+);/g)) {
      expect(compose).toContain(`\n  ${name}: *server\n`)
      expect(port).toBe(image['PORT'])
    }
    for (const [, secret = ''] of nginx.matchAll(/\/run\/secrets\/(\w+)/g))
      expect(compose).toContain(`\n  ${secret}: { file:`)
    expect(dockerfile).toContain(`EXPOSE ${image['PORT']}`)
    expect(dockerfile).toContain(`127.0.0.1:${image['SVC_ADMIN_PORT']}/ready`)
    expect(compose).toContain(`subnet: ${environment['SVC_TRUST_PROXY']}`)
  })

  test('have the settings for memory that the guide explains', () => {
    const [, section = ''] = /^## Memory\n(.*?)^## /ms.exec(guide) ?? []
    const settings = [...section.matchAll(/^\| `(?:node )?(\S+)=(\d+)`/gm)].map(([, name, value]) => `${name}=${value}`)
    expect(settings).toEqual(['MALLOC_MMAP_THRESHOLD_=1048576', '--max-semi-space-size=16'])
    for (const setting of settings) expect(dockerfile).toContain(setting)
  })

  test('run the service as nobody in particular, with its own signals', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('FROM '))
    expect(last).toMatch(/\nUSER node\n/)
    expect(last).toMatch(/\nCMD \["node", .*"apps\/reference-server\/dist\/main\.js"\]/)
    expect(last).toContain('HEALTHCHECK')
  })
})
