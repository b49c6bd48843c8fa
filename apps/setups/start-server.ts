import type { ChildProcess } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { startProgram } from '../../packages/internal/testing/programs.ts'
import { root } from '../tools/files.ts'
import { emptyProject } from './project.ts'
import type { Registry } from './registry.ts'

export interface StartedServer {
  url: string
  adminUrl: string
  /** Asks it to stop; its exit code. */
  stop(): Promise<number | null>
}

/** `npx @svc/reference-server@0.1.0` in an empty folder. */
export async function startServer(registry: Registry, version: string): Promise<StartedServer> {
  const project = emptyProject(registry)
  // A cache of its own: npx keeps what it installed, and an earlier run may have published the same
  // version. What was downloaded before is shared.
  const cache = await project.run('npm', 'config', 'get', 'cache')
  mkdirSync(join(project.folder, '.cache'))
  symlinkSync(join(cache.trim(), '_cacache'), join(project.folder, '.cache/_cacache'))
  // npx does not forward signals: it installs and prints, and the program is started by its file.
  const file = await project.run(
    'npx',
    '--yes',
    '--cache=.cache',
    `--package=@svc/reference-server@${version}`,
    '-c',
    'readlink -f "$(command -v svc-reference-server)"',
  )
  const server = await serving(startProgram(process.execPath, [file.trim()], createOptions(project.folder, registry)))
  const stop = async (): Promise<number | null> => {
    const code = await server.stop()
    project.remove()
    return code
  }
  return { ...server, stop }
}

/** Starts what `npm start` runs in the repository, which replaces its shell. */
export function startFromSource(registry: Registry, command: string): Promise<StartedServer> {
  return serving(startProgram('bash', ['-c', command], createOptions(root, registry)))
}

function createOptions(cwd: string, { env }: Registry) {
  const settings = { PORT: '0', SVC_ADMIN_PORT: '0', LOG_LEVEL: 'info' }
  return { cwd, env: { ...env, ...settings } }
}

async function serving(child: ChildProcess): Promise<StartedServer> {
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [url = '', adminUrl = ''] = await new Promise<string[]>((resolve, reject) => {
    let printed = ''
    child.stdout?.on('data', (text: Buffer) => {
      printed += text
      const addresses = new Set(printed.match(/http:\/\/(?:localhost|127\.0\.0\.1):\d+(?=\D)/g))
      if (addresses.size > 1) resolve([...addresses])
    })
    void ended.then((code) => reject(new Error(`the server ended with ${code}\n${printed}`)))
  })
  const stop = (): Promise<number | null> => {
    child.kill()
    return ended
  }
  return { url, adminUrl, stop }
}
