import { type ExecFileException, execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Registry } from './registry.ts'

export interface Project {
  folder: string
  /** For child processes. */
  env: NodeJS.ProcessEnv
  /** Runs a command in the project; what it printed, or an error that holds it. */
  run(command: string, ...args: string[]): Promise<string>
  /** The version of an installed package. */
  versionOf(name: string): string
  /** The text of a file in the project. */
  read(file: string): string
  write(file: string, text: string): void
  remove(): void
}

/** An empty folder outside of the repository, whose npm knows the registry. */
export function emptyProject({ env }: Registry): Project {
  const folder = mkdtempSync(join(tmpdir(), 'svc-project-'))
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  return {
    folder,
    env,
    run: (command, ...args) => run(command, args, folder, env),
    versionOf: (name) => (JSON.parse(read(`node_modules/${name}/package.json`)) as { version: string }).version,
    read,
    write: (file, text) => writeFileSync(join(folder, file), text),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/**
 * A project with dependencies installed, and the programs in a folder of ES modules and one of
 * CommonJS.
 */
export async function installedProject(registry: Registry, dependencies: Record<string, string>): Promise<Project> {
  const project = emptyProject(registry)
  project.write('package.json', JSON.stringify({ name: 'consumer', private: true, dependencies }))
  for (const [kind, type] of [
    ['esm', 'module'],
    ['cjs', 'commonjs'],
  ] as const) {
    mkdirSync(join(project.folder, kind))
    cpSync(join(import.meta.dirname, 'programs'), join(project.folder, kind), { recursive: true })
    project.write(join(kind, 'package.json'), JSON.stringify({ type }))
  }
  await project.run('npm', 'install')
  return project
}

/** Registries may pause an npm that downloads much. */
const MAX_RUN_MS = 240_000

function run(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, env, timeout: MAX_RUN_MS, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error) reject(explained(error, stdout, stderr))
      else resolve(stdout)
    })
  })
}

function explained(error: ExecFileException, stdout: string, stderr: string): Error {
  return new Error(`${error.cmd} ended with ${error.code ?? error.signal}\n${stdout}\n${stderr}`)
}
