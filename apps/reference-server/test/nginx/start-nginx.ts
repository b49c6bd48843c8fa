import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../../packages/internal/testing/servers.ts'
import { createSelfSigned } from '../../src/process/certificate.ts'

export interface Nginx {
  /** `https://127.0.0.1:…` */
  url: string
  /** The listener without TLS. */
  plainUrl: string
  /** Returns the errors that nginx has logged so far. */
  errors(): string
  stop(): Promise<void>
}

const CONFIGURATION = new URL('../../deploy/nginx.conf', import.meta.url)
const BINARY = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx'].find((file) => existsSync(file))
const PATIENCE = 100

/** Whether nginx is here; with CI set it must be. */
export function hasNginx(): boolean {
  if (!BINARY && process.env['CI']) throw new Error('nginx is not installed, and with CI set no test may be skipped')
  return BINARY !== undefined
}

/** nginx with the configuration that we ship, in front of this service. */
export async function startNginx(serviceUrl: string): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-nginx-'))
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(folder, name))
  const { cert, key } = await createSelfSigned()
  writeFileSync(join(folder, 'certificate.pem'), cert)
  writeFileSync(join(folder, 'key.pem'), key)
  const [port, plainPort] = [await freePort(), await freePort()]
  const shipped = readFileSync(CONFIGURATION, 'utf8')
    .replace(/server (one|two):3000;/g, `server ${new URL(serviceUrl).host};`)
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
    .replace('/run/secrets/certificate;', `${folder}/certificate.pem;`)
    .replace('/run/secrets/certificate_key;', `${folder}/key.pem;`)
  writeFileSync(join(folder, 'nginx.conf'), wrapped(folder, shipped))
  const server = spawn(BINARY ?? 'nginx', [
    '-p',
    folder,
    '-c',
    join(folder, 'nginx.conf'),
    '-e',
    join(folder, 'error.log'),
  ])
  await untilListening(port, server, folder)
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGQUIT')
    await ended
    rmSync(folder, { recursive: true })
  }
  const errors = (): string => readFileSync(join(folder, 'error.log'), 'utf8')
  return { url: `https://127.0.0.1:${port}`, plainUrl: `http://127.0.0.1:${plainPort}`, errors, stop }
}

// One process, everything that it writes below the folder.
function wrapped(folder: string, server: string): string {
  const temporary = [
    'client_body_temp_path body',
    'proxy_temp_path proxy',
    'fastcgi_temp_path fastcgi',
    'uwsgi_temp_path uwsgi',
    'scgi_temp_path scgi',
  ]
  return `daemon off;
master_process off;
pid ${folder}/nginx.pid;
events { worker_connections 512; }
http {
access_log off;
${temporary.map((line) => `${line.replace(/ (\w+)$/, ` ${folder}/$1`)};`).join('\n')}
${server}
}
`
}

async function untilListening(port: number, server: ChildProcess, folder: string): Promise<void> {
  for (let attempt = 0; attempt < PATIENCE; attempt++) {
    if (server.exitCode !== null) throw new Error(readFileSync(join(folder, 'error.log'), 'utf8'))
    const isUp = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy())
    })
    if (isUp) return
    await pause(50)
  }
  throw new Error('nginx does not listen')
}
