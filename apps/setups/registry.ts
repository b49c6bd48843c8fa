import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '../../packages/internal/testing/servers.ts'

export interface Registry {
  url: string
  /** For child processes: npm reads and publishes `@svc` here. */
  env: NodeJS.ProcessEnv
  stop(): Promise<void>
}

/**
 * An npm registry on loopback that keeps what is published to `@svc`. Everything else comes from
 * npm's own.
 */
export async function startRegistry(): Promise<Registry> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-registry-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  writeFileSync(join(folder, 'config.yaml'), configuration)
  writeFileSync(
    join(folder, 'npmrc'),
    `@svc:registry=${url}\n//127.0.0.1:${port}/:_authToken=anyone\nfund=false\naudit=false\nprefer-offline=true\nyes=true\n`,
  )
  const verdaccio = join(import.meta.dirname, 'node_modules/.bin/verdaccio')
  const options = ['--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`]
  const server = spawn(verdaccio, options, { cwd: folder, env: outerEnvironment(), stdio: 'ignore' })
  await waitForRegistry(server, `${url}-/ping`)
  const env = { ...outerEnvironment(), NPM_CONFIG_USERCONFIG: join(folder, 'npmrc') }
  return { url, env, stop: () => stop(server, folder) }
}

const configuration = `
storage: ./storage
auth: { htpasswd: { file: ./htpasswd } }
packages: { '@svc/*': { access: $all, publish: $all } }
log: { type: stdout, format: json, level: error }
max_body_size: 50mb
`

// What npm tells the scripts that it runs would tell an npm started by them to work in this folder;
// and `node` here is the first of those under test.
function outerEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS$|VITEST)/i.test(name))
  return { ...Object.fromEntries(entries), PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }
}

async function waitForRegistry(server: ChildProcess, url: string): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
    if (server.exitCode !== null) throw new Error(`the registry ended with ${server.exitCode}`)
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the registry does not respond')
}

async function stop(server: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill()
  await ended
  rmSync(folder, { recursive: true, force: true })
}
