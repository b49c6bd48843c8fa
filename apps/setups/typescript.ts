import { join } from 'node:path'
import type { Project } from './project.ts'

/** TypeScript setup of a consumer. `emits`: the programs run from the emitted files. */
export interface Mode {
  name: string
  /** The alias that the compiler is installed under. */
  compiler: string
  kind: 'esm' | 'cjs'
  options: Record<string, unknown>
  emits?: true
}

export const compilers = {
  'typescript-5': 'npm:typescript@5.9.3',
  'typescript-6': 'npm:typescript@6.0.3',
  'typescript-7': 'npm:typescript@7.0.2',
}

const nodenext = { module: 'nodenext', moduleResolution: 'nodenext' }
const bundler = { module: 'esnext', moduleResolution: 'bundler' }
const node10 = { module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true }

/** TypeScript 7 has no node10 any more. */
export const modes: Mode[] = [
  { name: 'nodenext, ES modules', compiler: 'typescript-5', kind: 'esm', options: nodenext, emits: true },
  { name: 'nodenext, CommonJS', compiler: 'typescript-5', kind: 'cjs', options: nodenext, emits: true },
  { name: 'bundler', compiler: 'typescript-5', kind: 'esm', options: bundler },
  { name: 'node10', compiler: 'typescript-5', kind: 'cjs', options: node10 },
  { name: 'nodenext, ES modules', compiler: 'typescript-6', kind: 'esm', options: nodenext },
  { name: 'nodenext, CommonJS', compiler: 'typescript-6', kind: 'cjs', options: nodenext },
  { name: 'bundler', compiler: 'typescript-6', kind: 'esm', options: bundler },
  { name: 'node10', compiler: 'typescript-6', kind: 'cjs', options: { ...node10, ignoreDeprecations: '6.0' } },
  { name: 'nodenext, ES modules', compiler: 'typescript-7', kind: 'esm', options: nodenext },
  { name: 'nodenext, CommonJS', compiler: 'typescript-7', kind: 'cjs', options: nodenext },
  { name: 'bundler', compiler: 'typescript-7', kind: 'esm', options: bundler },
]

/**
 * Compiles the programs of a project as strictly as a compiler can, with the libraries' types
 * checked too.
 */
export async function compile(project: Project, { name, compiler, kind, options, emits }: Mode): Promise<void> {
  const file = join(kind, `${compiler}-${name.replace(/\W+/g, '-')}.json`)
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    skipLibCheck: false,
    rewriteRelativeImportExtensions: true,
    rootDir: '.',
    noEmit: !emits,
    ...options,
  }
  project.write(file, JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  await project.run('node', `node_modules/${compiler}/bin/tsc`, '-p', file)
}
