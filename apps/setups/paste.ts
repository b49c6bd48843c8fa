import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { startProgram } from '../../packages/internal/testing/programs.ts'
import type { Project } from './project.ts'
import type { Exchange, Message } from './readme.ts'

/** A program that runs, and its server. */
export interface Started {
  url: string
  stop(): Promise<unknown>
}

/** Runs a program of a README. */
export function paste(project: Project, program: string): Promise<Started> {
  project.write('pasted.mjs', program)
  return start(project, process.execPath, ['pasted.mjs'])
}

/** Starts a program whose server listens on a free loopback port instead of its own. */
export async function start({ folder, env }: Project, command: string, args: readonly string[]): Promise<Started> {
  const NODE_OPTIONS = `--import=${join(import.meta.dirname, 'free-port.ts')}`
  const child = startProgram(command, args, { cwd: folder, env: { ...env, NODE_OPTIONS }, detached: true })
  const stop = (): Promise<unknown> => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    process.kill(-(child.pid ?? 0)) // npm does not forward signals
    return ended
  }
  return { url: await waitForAddress(child), stop }
}

/**
 * Sends a request that a README shows, until the response matches the one in the README. That may
 * take a retry, or as many requests as reach a limit. Returns the last response, with only the
 * headers that the README shows.
 */
export async function answerTo(url: string, { request, response: shown }: Exchange): Promise<Message> {
  const [method = '', path = ''] = request.start.split(' ')
  const headers = Object.fromEntries(request.fields)
  let answer: Message | undefined
  for (let attempt = 0; attempt < 200; attempt++) {
    const response = await fetch(url + path, { method, headers, ...(request.body && { body: request.body }) })
    const fields = [...shown.fields.keys()].map((name) => [name, response.headers.get(name) ?? ''] as const)
    const body = await response.text()
    answer = { start: `HTTP/1.1 ${response.status} ${response.statusText}`, fields: new Map(fields), body }
    if (answer.start === shown.start && !fields.some(([, value]) => value === '')) return answer
  }
  if (!answer) throw new Error('nothing was sent')
  return answer
}

/** A message without what another moment changes: times, and tags and bodies that are not text. */
export function timeless({ start, fields, body }: Message): Message {
  const moments = /^(X-RateLimit-Reset|Retry-After|Date|Last-Modified)$/i
  const values = [...fields].map(([name, value]) => [name, moments.test(name) ? '(a moment)' : value] as const)
  const text = body.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=Try again in )[^.]+/g, '(a moment)').replace(/>\s+</g, '><')
  return { start, fields: new Map(values), body: text.trim() }
}

function waitForAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (text: Buffer) => {
      const address = /^free port: (.*)$/m.exec(text.toString())?.[1]
      if (address) resolve(address)
    })
    child.once('exit', (code) => reject(new Error(`the program ended with ${code}`)))
  })
}
