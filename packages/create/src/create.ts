import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type Ranges, serviceManifest } from './service-manifest.ts'

export interface CreateInput {
  /** Directory of the new service, relative to `cwd`; its last part is the name of the service. */
  target: string
  cwd: string
  /** The folder that holds the template. */
  template: string
  /** The version range of each package. */
  ranges: Ranges
}

/**
 * Writes a new service into an empty or new folder, and returns the folder; throws where it must
 * not be written.
 */
export function create({ target, cwd, template, ranges }: CreateInput): string {
  const folder = resolve(cwd, target)
  const name = basename(folder)
  if (!NAME.test(name)) throw new Error(`"${name}" is not a name for a package: use a-z, 0-9, ".", "_" and "-"`)
  if (existsSync(folder) && readdirSync(folder).some((file) => file !== '.git'))
    throw new Error(`${folder} is not empty: nothing was written`)
  mkdirSync(folder, { recursive: true })
  cpSync(template, folder, { recursive: true, filter: (file) => basename(file) !== 'node_modules' })
  renameSync(join(folder, 'gitignore'), join(folder, '.gitignore')) // npm leaves a .gitignore out of a tarball
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(serviceManifest(name, ranges), null, 2)}\n`)
  return folder
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,213}$/
