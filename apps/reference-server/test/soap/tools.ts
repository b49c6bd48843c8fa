import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs a program that calls the service of this process. */
export async function run(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { timeout: 60_000 })
  return stdout
}

/** The first of some programs that works; `undefined` where none does, which is an error where CI is set. */
export function findTool(
  name: string,
  programs: readonly string[],
  args: readonly string[],
  isNeeded: boolean,
): string | undefined {
  const found = programs.find((program) => spawnSync(program, args, { stdio: 'ignore', timeout: 30_000 }).status === 0)
  if (found === undefined && isNeeded && process.env['CI'])
    throw new Error(`${name} is not installed, and with CI set no test may be skipped`)
  return found
}
