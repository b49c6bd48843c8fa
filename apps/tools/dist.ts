import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { compileFunction } from 'node:vm'
import { listImports, publishedWorkspaces, report, root } from './files.ts'

// What is published may import nothing that its package.json does not declare, in JavaScript and in
// types. CommonJS is rewritten after it was minified, so it is parsed again.
const problems: string[] = []
for (const { folder, manifest } of publishedWorkspaces()) {
  const dist = join(root, folder, 'dist')
  if (!existsSync(dist)) {
    problems.push(`${folder} has no dist: build first`)
    continue
  }
  const { dependencies, peerDependencies, optionalDependencies, files } = manifest
  const declared = new Set(Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies }))
  const used = new Set<string>()
  for (const file of readdirSync(dist, { recursive: true }).map(String)) {
    if (!/\.(js|cjs|d\.ts|d\.cts)$/.test(file)) continue
    const code = readFileSync(join(dist, file), 'utf8')
    if (file.endsWith('.cjs') && !parses(code)) problems.push(`${folder}/dist/${file} has a syntax error`)
    for (const specifier of listImports(code)) {
      if (specifier.startsWith('.') || isBuiltin(specifier)) continue
      const name = specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/')
      used.add(name)
      if (!declared.has(name) && name !== manifest.name)
        problems.push(`${folder}/dist/${file} imports ${name}, which is not declared`)
    }
  }
  if (files?.includes('template')) continue // which imports its dependencies
  for (const name of Object.keys(dependencies ?? {})) {
    if (folder.startsWith('packages/') && !used.has(name))
      problems.push(`${folder} declares ${name} and does not import it`)
  }
}
report('dist', problems)

function parses(code: string): boolean {
  try {
    compileFunction(code.replace(/^#!.*/, ''))
    return true
  } catch {
    return false
  }
}
