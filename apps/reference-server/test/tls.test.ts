import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, connect, getCiphers, type PeerCertificate, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSelfSigned } from '../src/process/certificate.ts'
import { type Service, startService } from './service.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-tls-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a self-made certificate', async () => {
  const { cert, key, fingerprint } = await createSelfSigned()

  test('is one for this machine, as openssl reads it', () => {
    const file = join(folder, 'cert.pem')
    writeFileSync(file, cert)
    const text = execFileSync('openssl', ['x509', '-in', file, '-noout', '-text']).toString()
    expect(text).toContain('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1')
    expect(execFileSync('openssl', ['verify', '-CAfile', file, file]).toString()).toContain('OK')
    const certificate = new X509Certificate(cert)
    expect(certificate.fingerprint256).toBe(fingerprint)
    expect(certificate.checkHost('localhost')).toBe('localhost')
  })

  test('is refused as configuration with the key of another one', async () => {
    const files = { SVC_TLS_CERT: join(folder, 'a.pem'), SVC_TLS_KEY: join(folder, 'b.pem') }
    writeFileSync(files.SVC_TLS_CERT, cert)
    writeFileSync(files.SVC_TLS_KEY, (await createSelfSigned()).key)
    await expect(startService(files)).rejects.toThrow('SVC_TLS_KEY  is not the key of SVC_TLS_CERT')
    writeFileSync(files.SVC_TLS_KEY, 'nonsense')
    await expect(startService(files)).rejects.toThrow('must be a certificate and a key in PEM')
    writeFileSync(files.SVC_TLS_KEY, key)
    const service = await startService(files)
    expect(service.url).toMatch(/^https:/)
    await service.running.stop()
  })
})

describe('a service with HTTPS', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ SVC_TLS: 'self' })
  })
  afterAll(() => service.running.stop())

  test('speaks TLS 1.3, and tells browsers to stay with it', async () => {
    const { port } = new URL(service.url)
    const socket = await new Promise<TLSSocket>((resolve, reject) => {
      const opened = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false }, () =>
        resolve(opened),
      )
      opened.on('error', reject)
    })
    expect(socket.getProtocol()).toBe('TLSv1.3')
    const peer: PeerCertificate = socket.getPeerCertificate()
    expect(peer.subjectaltname).toContain('DNS:localhost')
    socket.destroy()
    const fields = await new Promise<Record<string, unknown>>((resolve, reject) => {
      const options = { rejectUnauthorized: false, agent: false }
      const req = request(`${service.url}/health/live`, options, (res) => resolve(res.resume().headers))
      req.on('error', reject).end()
    })
    expect(fields['strict-transport-security']).toBe('max-age=63072000; includeSubDomains')
  })

  test('stops in time although a client has not begun its handshake', async () => {
    const stopped = await startService({ SVC_TLS: 'self' })
    const socket = connectTcp(Number(new URL(stopped.url).port), '127.0.0.1')
    await once(socket, 'connect')
    const start = performance.now()
    await stopped.running.stop()
    expect(performance.now() - start).toBeLessThan(9000)
    socket.destroy()
  }, 15_000)

  const connectWith = (options: ConnectionOptions): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const port = Number(new URL(service.url).port)
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => resolve(socket))
      socket.on('error', reject)
    })
  const TLS12 = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const

  test('5-3 offers no suite under TLS 1.2 without authenticated encryption', async () => {
    const suites = getCiphers().filter((name) => name.startsWith('ecdhe-'))
    const accepted: string[] = []
    for (const suite of suites) {
      const socket = await connectWith({ ...TLS12, ciphers: `${suite.toUpperCase()}:@SECLEVEL=0` }).catch(
        () => undefined,
      )
      if (socket) accepted.push(socket.getCipher().name)
      socket?.destroy()
    }
    expect(suites.some((name) => name.endsWith('-sha'))).toBe(true)
    expect(accepted.length).toBeGreaterThan(0)
    expect(accepted.filter((name) => !/GCM|CHACHA20/.test(name))).toEqual([])
    await expect(
      connectWith({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }),
    ).rejects.toThrow()
  })

  test('5-3 does not renegotiate', async () => {
    const socket = await connectWith(TLS12)
    const error = await new Promise<unknown>((resolve) => {
      socket.on('error', resolve).on('close', () => resolve('closed'))
      socket.renegotiate({ rejectUnauthorized: false }, resolve)
    })
    expect(error).not.toBeNull()
    socket.destroy()
  })

  test('offers HTTP/1.1 alone by ALPN', async () => {
    const socket = await connectWith({ ALPNProtocols: ['h2', 'http/1.1'] })
    expect(socket.alpnProtocol).toBe('http/1.1')
    socket.destroy()
  })
})
