import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Project } from './project.ts'
import { type Exchange, firstExchange, firstProgram } from './readme.ts'

interface Pasted {
  shown: Exchange
  answer: Pick<Exchange, 'status' | 'fields' | 'members'>
}

const plain: Exchange = { method: 'GET', path: '/', headers: {}, body: '', status: 200, fields: [], members: ['ok'] }

/** Runs the first program of a README, and sends the first request that the README shows, or `GET /`. */
export async function pasteFirstProgram(project: Project, markdown: string): Promise<Pasted> {
  project.write('pasted.mjs', firstProgram(markdown))
  const preload = join(import.meta.dirname, 'free-port.ts')
  const child = spawn(process.execPath, ['--import', preload, 'pasted.mjs'], {
    cwd: project.folder,
    stdio: ['ignore', 'pipe', 2],
  })
  try {
    const url = await firstLine(child)
    const shown = firstExchange(markdown) ?? plain
    const { method, path, headers, body } = shown
    const send = (): Promise<Response> => fetch(url + path, { method, headers, ...(body && { body }) })
    await send().then((response) => response.arrayBuffer())
    const response = await send() // what is shown may be the answer to a retry
    const text = await response.text()
    const members = shown.members.length ? Object.keys(JSON.parse(text) as object) : []
    return { shown, answer: { status: response.status, fields: [...response.headers.keys()], members } }
  } finally {
    child.kill()
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (text: Buffer) => resolve(text.toString().trim()))
    child.once('exit', (code) => reject(new Error(`the program ended with ${code}`)))
  })
}
