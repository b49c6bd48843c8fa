import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolveFrom, root, trackedFiles, type Workspace } from '../tools/files.ts'

export interface SourcePlace {
  file: string
  line: number
}

/** Returns a function that finds the declaration of a name that an entry of a package exports. */
export function createSourceFinder({
  folder,
  manifest,
}: Workspace): (specifier: string, name: string) => SourcePlace | undefined {
  const others = trackedFiles(new RegExp(`^(${folder}/src|packages/internal)/.*(?<!\\.test)\\.ts$`))
  return (specifier, name) => {
    const target = manifest.exports?.[`.${specifier.slice(manifest.name.length)}`]
    const entry = typeof target === 'object' && target !== null && '@svc/source' in target && target['@svc/source']
    const place = typeof entry === 'string' ? follow(join(folder, entry), name) : undefined
    return place ?? others.map((file) => declaredIn(file, name)).find(Boolean)
  }
}

function follow(file: string, name: string): SourcePlace | undefined {
  const here = declaredIn(file, name)
  if (here || !existsSync(join(root, file))) return here
  const exported = readFileSync(join(root, file), 'utf8').matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)
  for (const [, names = '', from = ''] of exported) {
    const found = names.split(',').find((each) => each.trim().replace(/^type |^.* as /g, '') === name)
    const local = found
      ?.trim()
      .replace(/^type /, '')
      .split(' as ')[0]
    if (local) return follow(resolveFrom(file, from), local)
  }
  return undefined
}

function declaredIn(file: string, name: string): SourcePlace | undefined {
  if (!existsSync(join(root, file))) return undefined
  const declaration = new RegExp(`^(?:export )?(?:async )?(?:const|function|interface|type|class) ${name}\\b`)
  const line = readFileSync(join(root, file), 'utf8')
    .split('\n')
    .findIndex((text) => declaration.test(text))
  return line < 0 ? undefined : { file, line: line + 1 }
}
