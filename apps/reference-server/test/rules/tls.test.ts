import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createSelfSigned } from '../../src/process/certificate.ts'
import { spawnServer } from '../process.ts'
import { basic, QUIET, record, type Service, send, startService } from '../service.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-tls-'))
afterAll(() => rmSync(folder, { recursive: true }))

const { cert, key } = await createSelfSigned()
const files = { SVC_TLS_CERT: join(folder, 'cert.pem'), SVC_TLS_KEY: join(folder, 'key.pem') }
writeFileSync(files.SVC_TLS_CERT, cert)
writeFileSync(files.SVC_TLS_KEY, key)

interface Secure {
  status: number
  headers: Record<string, string | string[] | undefined>
  peer: DetailedPeerCertificate
  protocol: string | null
}

/** Sends a request over TLS, and trusts only this certificate; without one, any. */
function ask(url: string, path: string, ca?: string): Promise<Secure> {
  return new Promise((resolve, reject) => {
    const trust = ca === undefined ? { rejectUnauthorized: false } : { ca, rejectUnauthorized: true }
    const headers = { authorization: basic('ada') }
    const req = request(url + path, { agent: false, headers, ...trust }, (res) => {
      const socket = res.socket as TLSSocket
      const [peer, protocol] = [socket.getPeerCertificate(true), socket.getProtocol()]
      res.resume().on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, peer, protocol }))
    })
    req.on('error', reject).end()
  })
}

/** An address of this machine that is not loopback, as clients elsewhere would use. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((entry) => entry?.family === 'IPv4' && !entry.internal)?.address

const HSTS = 'strict-transport-security'

describe('5 HTTPS', () => {
  const running: Service[] = []
  const started = async (env: Record<string, string>): Promise<Service> => {
    const service = await startService(env)
    running.push(service)
    return service
  }
  afterAll(() => Promise.all(running.map(({ running: one }) => one.stop())))

  test('5-3 with a certificate the service answers HTTPS, which clients can check, with HSTS', async () => {
    const { url } = await started(files)
    expect(url).toMatch(/^https:/)
    const answer = await ask(url, '/employees/1', cert)
    expect(answer).toMatchObject({ status: 200, headers: { [HSTS]: 'max-age=63072000; includeSubDomains' } })
    expect(['TLSv1.2', 'TLSv1.3']).toContain(answer.protocol)
    expect((await ask(url, '/nothing', cert)).headers[HSTS]).toBeDefined()
    await expect(ask(url, '/', (await createSelfSigned()).cert)).rejects.toThrow(/certificate|self.signed/i)
    await expect(send(url.replace('https', 'http'), { path: '/' })).rejects.toThrow()
  })

  test('5-3 SVC_TLS=self creates a certificate for this host', async () => {
    const { url } = await started({ SVC_TLS: 'self' })
    const { status, headers, peer } = await ask(url, '/employees/1')
    expect([status, headers[HSTS]]).toEqual([200, 'max-age=63072000; includeSubDomains'])
    expect(peer.subjectaltname).toContain('DNS:localhost')
    expect(Date.parse(peer.valid_to)).toBeGreaterThan(Date.now())
    const pem = `-----BEGIN CERTIFICATE-----\n${peer.raw.toString('base64')}\n-----END CERTIFICATE-----\n`
    expect((await ask(url, '/employees/1', pem)).status).toBe(200)
  })

  test('5-3 plain HTTP is for this host only, and has no HSTS', async () => {
    const { url } = await started({ HOST: '0.0.0.0' })
    const port = new URL(url).port
    const headers = { authorization: basic('ada') }
    const own = await send(`http://127.0.0.1:${port}`, { path: '/employees/1', headers })
    expect([own.status, own.headers[HSTS]]).toEqual([200, undefined])
    if (outside === undefined) return
    const refused = await send(`http://${outside}:${port}`, { path: '/employees/1', headers })
    expect(refused.status).toBe(403)
    expect(JSON.parse(refused.text)).toMatchObject(record(403, 'HTTPS_REQUIRED', '/employees/1'))
  })

  test.skipIf(outside === undefined)('5-3 plain HTTP is sent to the public address (needs a network)', async () => {
    const { url } = await started({ HOST: '0.0.0.0', SVC_PUBLIC_URL: 'https://service.example' })
    const base = `http://${outside}:${new URL(url).port}`
    const get = await send(base, { path: '/employees?size=1' })
    expect([get.status, get.headers['location']]).toEqual([301, 'https://service.example/employees?size=1'])
    const post = await send(base, { method: 'POST', path: '/employees', body: '{}' })
    expect([post.status, post.headers['location']]).toEqual([308, 'https://service.example/employees'])
  })

  test('5-3 trusts what a proxy says about HTTPS if the proxy is trusted', async () => {
    const { url } = await started({ SVC_TRUST_PROXY: '127.0.0.1' })
    const ask = (proto: string) =>
      send(url, { path: '/employees/1', headers: { authorization: basic('ada'), 'x-forwarded-proto': proto } })
    expect((await ask('https')).status).toBe(200)
    expect((await ask('http')).status).toBe(403)
  })

  test('5-3 rejects a key and a certificate that do not match at startup', async () => {
    const other = join(folder, 'other.pem')
    writeFileSync(other, (await createSelfSigned()).key)
    const wrong = spawnServer({ ...files, SVC_TLS_KEY: other })
    expect((await wrong.exited).code).toBe(78)
    expect(wrong.output().stderr).toMatch(/SVC_TLS_KEY {2}is not the key of SVC_TLS_CERT/)
    expect(() => readConfig({ ...QUIET, SVC_TLS_CERT: files.SVC_TLS_CERT })).toThrow(/one of them is missing/)
    expect(() => readConfig({ ...QUIET, ...files, SVC_TLS_CERT: join(folder, 'none') })).toThrow(/is not a file/)
  })
})
