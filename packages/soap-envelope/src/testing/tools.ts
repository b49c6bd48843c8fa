import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a program without blocking this process, whose server it may call. */
export async function run(program: string, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await execute(program, args, { timeout: 60_000, maxBuffer: 16_777_216 })
  return stdout + stderr
}

/** The first of some programs that works, tried with these arguments; `undefined` where none does. */
export function findTool(programs: readonly string[], args: readonly string[]): string | undefined {
  return programs.find((program) => spawnSync(program, args, { stdio: 'ignore', timeout: 30_000 }).status === 0)
}

/** A tool that must be there where `CI` is set, since nothing may be skipped there. */
export function needTool(name: string, programs: readonly string[], args: readonly string[]): string | undefined {
  const tool = findTool(programs, args)
  if (tool === undefined && process.env['CI'])
    throw new Error(`${name} is not installed, and with CI set no test may be skipped`)
  return tool
}
