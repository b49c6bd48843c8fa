import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../tools/files.ts'
import { COLUMNS, recordingSvg, type Scene } from './recording-svg.ts'

// Records the demo for the README: starts the reference server, runs each command, and draws what
// was printed. `node recording.ts` writes pictures/demo.svg; a test compares that file with a new
// recording.
const ORDER = '{"customerId":1,"items":[{"productId":1,"quantity":2}]}'

/** A command as a reader types it, and the headers of the response that are shown. */
const commands: readonly { command: string; headers: string[]; bodyLines?: number }[] = [
  { command: 'curl -i localhost:3000/products/1', headers: ['ETag', 'Cache-Control', 'RateLimit-Policy'] },
  { command: `curl -i localhost:3000/products/1 -H 'If-None-Match: $ETAG'`, headers: ['ETag'] },
  {
    command: `curl -i localhost:3000/orders -u ada:ada-demo -H 'Idempotency-Key: "o-1"' --json @order.json`,
    headers: ['Location'],
  },
  {
    command: '!!  # the response was lost, so the client sends it again',
    headers: ['Idempotent-Replayed', 'Location'],
  },
  { command: 'curl -i localhost:3000/products/999', headers: ['Content-Type'], bodyLines: 2 },
]

/** Records all commands against a new server. */
export async function record(): Promise<Scene[]> {
  const server = spawn(process.execPath, ['--conditions=@svc/source', 'apps/reference-server/src/main.ts'], {
    cwd: root,
    env: { ...process.env, PORT: '0', SVC_ADMIN_PORT: '0', LOG_LEVEL: 'fatal', SVC_DEMO: 'on', NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  try {
    const banner = await readBanner(server.stderr)
    const url = /http:\/\/\S+:(\d+)/.exec(banner.find((line) => line.includes('Open')) ?? '')
    const [origin = '', port = ''] = url ?? []
    const shown = banner.filter((line) => /^ +(Open|API|SOAP|Users) /.test(line))
    const first = {
      command: 'npx @svc/reference-server',
      lines: shown.map((line) => line.replaceAll(`:${port}`, ':3000')),
    }
    return [first, ...runAll(origin)]
  } finally {
    server.kill()
    await once(server, 'exit')
  }
}

function runAll(origin: string): Scene[] {
  let etag = ''
  let last = ''
  return commands.map(({ command, headers, bodyLines = 1 }) => {
    const typed = command.replace('$ETAG', etag)
    last = typed.startsWith('!!') ? last : typed
    const [head = '', body = ''] = run(last, origin).split('\r\n\r\n')
    const [status = '', ...fields] = head.split('\r\n')
    etag = /^ETag: (.*)$/m.exec(head)?.[1] ?? etag
    const shown = fields.filter((field) => headers.some((name) => field.startsWith(`${name}:`)))
    return { command: typed, lines: [status, ...shown, '…', ...firstLines(body, bodyLines)] }
  })
}

function run(command: string, origin: string): string {
  const real = command.replace('localhost:3000', origin).replace('@order.json', `'${ORDER}'`)
  return execFileSync('bash', ['-c', `${real} -s --max-time 20`], { encoding: 'utf8' })
}

// The beginning of a body, with a time that does not change. A last line that is too long is cut
// when it is drawn.
function firstLines(body: string, count: number): string[] {
  const text = body.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2030-01-01T09:00:00.000Z')
  const full = Array.from({ length: count - 1 }, (_, index) => text.slice(index * COLUMNS, (index + 1) * COLUMNS))
  return [...full, text.slice((count - 1) * COLUMNS)].filter(Boolean)
}

async function readBanner(stream: NodeJS.ReadableStream): Promise<string[]> {
  const lines: string[] = []
  for await (const line of createInterface({ input: stream })) {
    lines.push(line)
    if (line.includes('Ctrl-C')) return lines
  }
  throw new Error(`the server did not start:\n${lines.join('\n')}`)
}

/** Returns the recording as a picture. */
export async function recordDemo(): Promise<string> {
  return recordingSvg('The reference server: a cached response, an order that is sent twice, an error', await record())
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, 'pictures/demo.svg'), await recordDemo())
