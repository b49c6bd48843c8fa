import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Answer } from '../../../../packages/internal/testing/check.ts'
import { exchange } from '../raw.ts'
import { basic, onEveryDatabase, type Service, startService } from '../service.ts'

const V1 = 'http://svc.example/ws/customer/v1'
const WSS = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss'
const TYPE = 'application/soap+xml; charset=utf-8'
const body = `<GetCustomerRequest xmlns="${V1}"><customerId>1</customerId></GetCustomerRequest>`
const envelope = (header: string, content = body): string =>
  `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Header>${header}</e:Header><e:Body>${content}</e:Body></e:Envelope>`
const security = (user: string, fields: string): string =>
  `<w:Security xmlns:w="${WSS}-wssecurity-secext-1.0.xsd" xmlns:u="${WSS}-wssecurity-utility-1.0.xsd"><w:UsernameToken>` +
  `<w:Username>${user}</w:Username>${fields}</w:UsernameToken></w:Security>`
const digest = (user: string, password: string): string => {
  const nonce = randomBytes(16)
  const created = new Date().toISOString()
  const hash = createHash('sha1').update(nonce).update(created).update(password).digest('base64')
  const type = `${WSS}-username-token-profile-1.0#PasswordDigest`
  const fields = `<w:Password Type="${type}">${hash}</w:Password><w:Nonce>${nonce.toString('base64')}</w:Nonce>`
  return security(user, `${fields}<u:Created>${created}</u:Created>`)
}
const clear = (user: string, password: string): string => security(user, `<w:Password>${password}</w:Password>`)
const post = (service: Service, message: string, status: number, headers: Record<string, string> = {}) =>
  service.check(
    { method: 'POST', path: '/ws/customer', headers: { 'content-type': TYPE, ...headers }, body: message },
    { status },
  )

onEveryDatabase('the SOAP endpoint', (service) => {
  const token = async (as: string, scope: string): Promise<string> => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const form = `grant_type=client_credentials&scope=${scope}`
    const { text } = await service.check({ as, method: 'POST', path: '/tokens', headers, body: form }, { status: 200 })
    return JSON.parse(text).access_token
  }

  test('a digest counts once, also when it comes eight times at the same moment', async () => {
    const message = envelope(digest('ada', 'ada-demo'))
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        service.check({ method: 'POST', path: '/ws/customer', headers: { 'content-type': TYPE }, body: message }, {}),
      ),
    )
    expect(answers.map(({ status }: Answer) => status).sort()).toEqual([200, ...new Array(7).fill(400)])
  })

  test('Bearer is taken with the scope soap:call, and refused without', async () => {
    const good = { authorization: `Bearer ${await token('ada', 'soap:call')}` }
    await post(service, envelope(''), 200, good)
    const narrow = { authorization: `Bearer ${await token('ada', 'customers:read')}` }
    expect((await post(service, envelope(''), 400, narrow)).text).toContain('f:NotPermitted')
  })

  test('wrong credentials of HTTP are 401 with a challenge, and a fault', async () => {
    const answer = await post(service, envelope(''), 401, { authorization: basic('ada', 'wrong') })
    expect(answer.headers['www-authenticate']).toBeDefined()
    expect(answer.text).toContain('FailedAuthentication')
    expect(answer.headers['content-type']).toMatch(/^application\/soap\+xml/)
  })

  test('credentials that name two users are refused', async () => {
    const both = await post(service, envelope(clear('adam', 'adam-demo')), 400, { authorization: basic('ada') })
    expect(both.text).toContain('InvalidSecurity')
    await post(service, envelope(clear('ada', 'ada-demo')), 200, { authorization: basic('ada') })
  })

  test('a user without the scope is not permitted, and an unknown one looks like a wrong password', async () => {
    expect((await post(service, envelope(clear('eve', 'eve-demo')), 400)).text).toContain('f:NotPermitted')
    const texts = await Promise.all(
      [clear('ada', 'nope'), clear('nobody', 'nope'), clear('__proto__', 'nope'), digest('nobody', 'nope')].map(
        async (header) => (await post(service, envelope(header), 400)).text,
      ),
    )
    expect(new Set(texts)).toHaveLength(1)
  })

  test('a user with a secret for SOAP sends digests of it, until it is taken away', async () => {
    const { headers } = await service.check(
      {
        as: 'ada',
        method: 'POST',
        path: '/users',
        json: { username: 'sonia', email: 'sonia@example.com', password: 'a long password', roles: ['staff'] },
      },
      { status: 201 },
    )
    const path = `${headers['location']}/soap-secret`
    await post(service, envelope(digest('sonia', 'a long password')), 400)
    await service.check({ as: 'ada', path }, { status: 200, body: { status: 'NONE' } })
    const secret = { secret: 'sésame, öffne dich' }
    await service.check({ as: 'ada', method: 'PUT', path, json: { secret: 'short' } }, { status: 400 })
    await service.check({ as: 'carl', method: 'PUT', path, json: secret }, { status: 403 })
    await service.check({ as: 'ada', method: 'PUT', path, json: secret }, { status: 204 })
    const shown = await service.check({ as: 'ada', path }, { status: 200, body: { status: 'SET' } })
    expect(shown.text).not.toContain('sésame')
    const sql = `select "soapSecret" from "users" where "username" = 'sonia'`
    const row = await service.running.database.get(sql)
    expect(Buffer.from(String(row?.['soapSecret']), 'base64').toString()).not.toContain('öffne')
    await post(service, envelope(digest('sonia', secret.secret)), 200)
    await post(service, envelope(clear('sonia', secret.secret)), 200)
    await post(service, envelope(clear('sonia', 'a long password')), 200)
    await service.check({ as: 'ada', method: 'DELETE', path }, { status: 204 })
    await post(service, envelope(digest('sonia', secret.secret)), 400)
  })

  test.each([
    ['clear', clear],
    ['digest', digest],
  ])('slows down guesses of a secret, and not the user who proved it before: %s', async (name, write) => {
    const secret = 'sésame, öffne dich'
    const create = async (username: string): Promise<string> => {
      const json = { username, email: `${username}@example.com`, password: 'a long password', roles: ['staff'] }
      const { headers } = await service.check({ as: 'ada', method: 'POST', path: '/users', json }, { status: 201 })
      const path = `${headers['location']}/soap-secret`
      await service.check({ as: 'ada', method: 'PUT', path, json: { secret } }, { status: 204 })
      return username
    }
    const refused = async (username: string, guess: string, code: string): Promise<void> =>
      expect((await post(service, envelope(write(username, guess)), 400)).text).toContain(code)
    const fail = async (username: string): Promise<void> => {
      for (let count = 0; count < 10; count++) await refused(username, 'wrong', 'FailedAuthentication')
      await refused(username, 'wrong', 'f:RateLimited')
    }
    const fresh = await create(`fresh-${name}`)
    await fail(fresh)
    await refused(fresh, secret, 'f:RateLimited')
    const active = await create(`active-${name}`)
    await post(service, envelope(write(active, secret)), 200)
    await fail(active)
    await post(service, envelope(write(active, secret)), 200)
    // A name that no user has is like any other.
    await fail(`nobody-${name}`)
    await refused(`another-${name}`, 'wrong', 'FailedAuthentication')
    // The secret is for SOAP.
    const headers = { authorization: basic(active, secret) }
    await service.check({ path: '/employees', headers }, { status: 401 })
  })

  test('every answer has the correlation id of its request, and a fault tells it', async () => {
    const headers = { authorization: basic('ada'), 'x-correlation-id': 'soap-42' }
    const missing = envelope('', body.replace('>1<', '>404404<'))
    const answer = await post(service, missing, 400, headers)
    expect(answer.headers['x-correlation-id']).toBe('soap-42')
    expect(answer.text).toMatch(/<(\w+:)?correlationId>soap-42<\//)
  })

  const create = (id: number, email: string): string =>
    envelope(
      '',
      `<CreateCustomerRequest xmlns="${V1}"><customer><id>${id}</id><name>X</name><email>${email}</email></customer></CreateCustomerRequest>`,
    )

  test('a customer is made by those only who may make one in the resource API', async () => {
    const message = create(88_003, 'new@example.com')
    const narrow = `Bearer ${await token('ada', 'soap:call')}`
    for (const authorization of [basic('bob'), narrow])
      expect((await post(service, message, 400, { authorization })).text).toContain('f:NotPermitted')
    await service.check({ as: 'ada', path: '/customers/88003' }, { status: 404 })
    await post(service, message, 200, { authorization: `Bearer ${await token('ada', 'soap:call+customers:write')}` })
  })

  test('a customer with a bad e-mail or a taken one is not made', async () => {
    const headers = { authorization: basic('ada') }
    expect((await post(service, create(88_001, 'no address'), 400, headers)).text).toContain('f:InvalidValue')
    const { text } = await service.check({ as: 'ada', path: '/customers/2' }, { status: 200 })
    const taken = JSON.parse(text).email.toUpperCase()
    expect((await post(service, create(88_002, taken), 400, headers)).text).toContain('f:Conflict')
    await service.check({ as: 'ada', path: '/customers/88002' }, { status: 404 })
  })

  test('an unavailable database is 503 with Retry-After, and a fault', async () => {
    const message = envelope('', body.replace('>1<', '>33<'))
    const headers = { authorization: basic('ada') }
    const find = vi.spyOn(service.running.database, 'find').mockImplementation(() => {
      throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    })
    const answer = await post(service, message, 503, headers).finally(() => find.mockRestore())
    expect(answer.headers['retry-after']).toBe('5')
    expect(answer.text).toContain('f:Unavailable')
    expect(answer.text).not.toContain('refused')
  })

  test('maintenance is 503 with Retry-After, and a fault', async () => {
    service.running.state.maintenance = true
    const answer = await post(service, envelope(''), 503).finally(() => (service.running.state.maintenance = false))
    expect(answer.headers['retry-after']).toBe('60')
    expect(answer.text).toContain('f:Unavailable')
  })
})

describe('wrong passwords', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.running.stop())
  const old = (message: string): string =>
    message.replace('http://www.w3.org/2003/05/soap-envelope', 'http://schemas.xmlsoap.org/soap/envelope/')

  test.each<[string, string, string, Record<string, string>]>([
    ['in a message', clear('adam', 'wrong'), clear('adam', 'adam-demo'), {}],
    ['in the Authorization header', '', '', { authorization: basic('bob', 'wrong') }],
  ])('%s are slowed down by a fault that every client reads', async (_where, wrong, right, headers) => {
    const user = headers['authorization'] ? { authorization: basic('bob') } : {}
    await post(service, envelope(right), 200, user)
    const failure = headers['authorization'] ? 401 : 400
    for (let count = 0; count < 10; count++) await post(service, envelope(wrong), failure, headers)
    const slow = await post(service, envelope(wrong), 400, headers)
    expect(slow.text).toContain('f:RateLimited')
    expect(Number(slow.headers['retry-after'])).toBeLessThanOrEqual(90)
    const first = await post(service, old(envelope(wrong)), 500, { ...headers, 'content-type': 'text/xml' })
    expect(first.text).toContain('http://schemas.xmlsoap.org/soap/envelope/')
    // Who proved the password before is not refused.
    await post(service, envelope(right), 200, user)
  })
})

describe('a client that waits before it sends its message', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.running.stop())

  const send = (length: number): Promise<string> => {
    const fields = [`Authorization: ${basic('ada')}`, `Content-Type: ${TYPE}`, `Content-Length: ${length}`]
    const head = [
      'POST /ws/customer HTTP/1.1',
      'Host: localhost',
      'Expect: 100-continue',
      'Connection: close',
      ...fields,
    ]
    return exchange(service.running.url, `${head.join('\r\n')}\r\n\r\n${envelope('')}`)
  }

  test('is told to continue', async () => {
    expect(await send(envelope('').length)).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n/)
  })

  test('is not, if the message is too large', async () => {
    expect(await send(2_000_000)).toMatch(/^HTTP\/1.1 413 /)
  })
})

describe('limits', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ SVC_RATE_LIMIT_ANONYMOUS: '3/1m' })
  })
  afterAll(() => service.running.stop())

  test('too many messages are 429 with Retry-After, and a fault in the version of the client', async () => {
    for (let count = 0; count < 3; count++) await post(service, envelope(clear('ada', 'ada-demo')), 200)
    const answer = await post(service, envelope(clear('ada', 'ada-demo')), 429)
    expect(answer.headers['retry-after']).toMatch(/^\d+$/)
    expect(answer.text).toContain('f:RateLimited')
    const old = await post(service, '<x/>', 429, { 'content-type': 'text/xml' })
    expect(old.text).toContain('http://schemas.xmlsoap.org/soap/envelope/')
  })
})
