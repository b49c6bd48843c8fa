import {
  type ChildProcessWithoutNullStreams,
  execFile,
  type SpawnOptionsWithoutStdio,
  spawn,
  spawnSync,
} from 'node:child_process'
import { promisify } from 'node:util'
import type { TestContext } from 'vitest'

const execute = promisify(execFile)

/**
 * Runs a program without blocking this process, whose server it may call. Returns all that it
 * prints.
 */
export async function run(program: string, args: readonly string[], cwd?: string): Promise<string> {
  const { stdout, stderr } = await execute(program, args, { cwd, timeout: 120_000, maxBuffer: 16_777_216 })
  return stdout + stderr
}

/**
 * Starts a program whose errors are printed here. It does not inherit that output: Vitest waits
 * until it is closed, and a failed test may leave the program running.
 */
export function startProgram(
  program: string,
  args: readonly string[],
  options: SpawnOptionsWithoutStdio = {},
): ChildProcessWithoutNullStreams {
  const child = spawn(program, args, options)
  child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk))
  return child
}

/**
 * Returns the first of several programs that succeeds with these arguments. If none does, this is
 * an error with CI set, since nothing may be skipped there.
 */
export function needTool(name: string, programs: readonly string[], args: readonly string[]): string | undefined {
  const tool = programs.find((program) => spawnSync(program, args, { stdio: 'ignore', timeout: 30_000 }).status === 0)
  if (tool === undefined && process.env['CI'])
    throw new Error(`${name} is not installed, and with CI set no test may be skipped`)
  return tool
}

/** Returns what a client printed; skips the test if the client is not installed. */
export type ClientOutput = (context: TestContext) => Promise<Map<string, unknown>>

/**
 * Runs a client once, for all tests that read what it prints: `["name", value]` on each line. It
 * starts with the first of these tests.
 */
export function runOnce<Tool>(
  name: string,
  tool: Tool | undefined,
  start: (tool: Tool) => Promise<string>,
): ClientOutput {
  let output: Promise<Map<string, unknown>> | undefined
  return (context) => {
    if (tool === undefined) return context.skip(`${name} is not installed`)
    output ??= start(tool).then(parseLines)
    return output
  }
}

function parseLines(output: string): Map<string, unknown> {
  return new Map(output.split('\n').flatMap((line) => (line.startsWith('[') ? [JSON.parse(line)] : [])))
}

/** Returns the class path of jars that Debian installs. */
export function findJars(names: readonly string[]): string {
  return names.map((name) => `/usr/share/java/${name}.jar`).join(':')
}

/** The class path of the JAX-WS reference implementation with what it needs. */
export const JAXWS_CLASSPATH = findJars([
  'jaxws-rt',
  'jaxws-api',
  'jaxb-api',
  'jaxb-impl',
  'jaxb-core',
  'javax.activation',
  'saaj-impl',
  'stax-ex',
  'javax.xml.soap-api',
  'jws-api',
  'metro-policy',
  'mimepull',
  'streambuffer',
  'istack-commons-runtime',
  'FastInfoset',
  'gmbal',
  'txw2',
])
