import type { Manifest } from '../tools/files.ts'

/**
 * A program that imports every subpath of every package, and prints how many names each one gives.
 */
export function importEverything(manifests: readonly Manifest[]): string {
  const specifiers = manifests.flatMap(({ name, exports = {} }) =>
    Object.keys(exports)
      .filter((subpath) => !/\.json$|^\.\/cli$/.test(subpath))
      .map((subpath) => name + subpath.slice(1)),
  )
  const imports = specifiers.map((specifier, index) => `import * as module${index} from '${specifier}'`)
  const entries = specifiers.map((specifier, index) => `  ['${specifier}', Object.keys(module${index}).length],`)
  return [...imports, 'console.log(JSON.stringify([', ...entries, ']))', ''].join('\n')
}
