import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'

/** The root of the repository. */
export const root = resolve(import.meta.dirname, '../..')

/** Files that git tracks or would track, relative to the root, that match. */
export function trackedFiles(pattern: RegExp): string[] {
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  return list
    .toString()
    .split('\n')
    .filter((file) => pattern.test(file) && existsSync(join(root, file)))
}

export interface Manifest {
  name: string
  version: string
  description?: string
  private?: boolean
  exports?: Record<string, unknown>
  engines?: Record<string, string>
  files?: string[]
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  scripts?: Record<string, string>
}

export interface Workspace {
  /** Relative to the root: `packages/errors`. */
  folder: string
  manifest: Manifest
}

/** Whether a workspace is a package that is imported, and no program. */
export function isLibrary({ folder, manifest }: Workspace): boolean {
  return folder.startsWith('packages/') && manifest.exports?.['.'] !== undefined
}

/** Whether a version was ever released: packages begin with 0.0.0, which is not published. */
export function isReleased(version: string): boolean {
  return version !== '0.0.0'
}

/** The workspaces that are published. */
export function publishedWorkspaces(): Workspace[] {
  return ['packages', 'apps']
    .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}`))
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readManifest(join(root, folder, 'package.json')) }))
    .filter(({ manifest }) => manifest.private !== true)
}

/**
 * The Markdown files of a package, relative to its directory: the README, then its reference in
 * `docs`.
 */
export function listDocuments(folder: string): string[] {
  const docs = trackedFiles(new RegExp(`^${folder}/docs/[^/]+\\.md$`))
  return ['README.md', ...docs.map((file) => file.slice(folder.length + 1))]
}

/** The text of a file, by its path relative to the root. */
export function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

export function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest
}

/** The error and warning codes that a text names, sorted. */
export function codesIn(text: string): string[] {
  return [...new Set(text.match(/\b(?:ERR|WRN)_[A-Z0-9]+(?:_[A-Z0-9]+)+\b/g))].sort()
}

/** The codes that the sources of a package name, sorted. */
export function sourceCodes({ folder }: Workspace): string[] {
  const files = trackedFiles(new RegExp(`^${folder}/src/.*(?<!\\.test)\\.ts$`))
  return codesIn(files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n'))
}

/**
 * Returns the modules that a module imports, statically or by `import()`, `require()` and `typeof
 * import()`.
 */
export function listImports(source: string): string[] {
  return ts.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName)
}

/** Resolves a relative import to a path relative to the root. */
export function resolveFrom(file: string, specifier: string): string {
  return join(dirname(file), specifier)
}

/** Prints what is wrong, a line each, and ends with 1; or says that nothing is. */
export function report(name: string, problems: readonly string[]): void {
  for (const problem of problems) console.error(`${name}: ${problem}`)
  console.log(problems.length === 0 ? `${name}: ok` : `${name}: ${problems.length} problem(s)`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
