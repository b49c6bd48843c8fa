import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../packages/internal/testing/servers.ts'

/** A program that listens on `PORT`. */
export interface Program {
  name: string
  argv: readonly string[]
  environment?: Record<string, string>
  /** Path of the first request. @defaultValue `/` */
  path?: string
}

export interface StartSample {
  /** CPU of the process until its first response, in milliseconds. */
  cpu: number
  /** Milliseconds until the first response. */
  wall: number
  /** Bytes one second after the first response. */
  rss: number
}

const SETTLE_MS = 1000
const POLL_MS = 5
const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Starts a program, waits for its first response, and stops it. */
export async function sampleStart({ argv, environment, path = '/' }: Program): Promise<StartSample> {
  const port = await freePort()
  const env = { ...process.env, ...environment, PORT: String(port), BENCH_PORT: String(port) }
  const started = performance.now()
  const child = spawn(process.execPath, ['--no-warnings', ...argv], { cwd: root, env, stdio: 'ignore' })
  const exit = once(child, 'exit')
  try {
    await firstResponse(`http://127.0.0.1:${port}${path}`, () => child.exitCode)
    const wall = performance.now() - started
    const cpu = readCpu(child.pid ?? 0)
    await setTimeout(SETTLE_MS)
    return { cpu, wall, rss: readRss(child.pid ?? 0) }
  } finally {
    child.kill('SIGTERM')
    await exit
  }
}

async function firstResponse(url: string, exitCode: () => number | null): Promise<void> {
  for (;;) {
    if (exitCode() !== null) throw new Error(`the program exited with ${exitCode()} before it responded`)
    try {
      const response = await fetch(url, { headers: { accept: 'application/json' } })
      await response.arrayBuffer()
      return
    } catch {
      // Not listening yet.
      await setTimeout(POLL_MS)
    }
  }
}

/** Reads user and system time of all threads, in milliseconds: the kernel counts in ticks of 10. */
function readCpu(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function readRss(pid: number): number {
  return Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}
