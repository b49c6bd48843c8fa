import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

const NAME = /^[a-z0-9][a-z0-9._-]{0,213}$/

/** Version ranges by package name. */
export type Ranges = Readonly<Record<string, string>>

export interface CreateInput {
  /**
   * Directory of the new service, relative to `cwd`. Its last segment is the name of the service.
   */
  target: string
  cwd: string
  /** Directory of the template. */
  template: string
  /** Version ranges of the packages. */
  ranges: Ranges
}

/**
 * Writes a new service to a new or empty directory, and returns its path. Throws if the directory
 * cannot be used.
 */
export function create({ target, cwd, template, ranges }: CreateInput): string {
  const directory = resolve(cwd, target)
  const name = basename(directory)
  if (!NAME.test(name)) throw new Error(`"${name}" is not a valid package name: use a-z, 0-9, ".", "_" and "-"`)
  if (existsSync(directory) && readdirSync(directory).some((file) => file !== '.git'))
    throw new Error(`${directory} is not empty: nothing was written`)
  mkdirSync(directory, { recursive: true })
  cpSync(template, directory, { recursive: true, filter: (file) => basename(file) !== 'node_modules' })
  renameSync(join(directory, 'gitignore'), join(directory, '.gitignore')) // npm omits .gitignore from tarballs
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(buildManifest(name, ranges), null, 2)}\n`)
  return directory
}

/** Builds the package.json of a new service. */
function buildManifest(name: string, ranges: Ranges): object {
  return {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    scripts: {
      // Some shells do not pass signals on, so Node.js replaces them. Windows has no `exec`.
      start: 'exec node src/server.ts || node src/server.ts',
      dev: 'node --watch src/server.ts',
      test: 'node --test',
      typecheck: 'tsc',
    },
    engines: { node: '^22.18.0 || >=23.6.0' },
    dependencies: { ...ranges, express: '^5.1.0' },
    devDependencies: { '@types/express': '^5.0.0', '@types/node': '^22.0.0', typescript: '^5.9.0' },
  }
}
