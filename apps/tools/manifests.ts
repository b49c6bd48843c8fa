import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLibrary, listDocuments, publishedWorkspaces, report, root } from './files.ts'

// A manifest contains what npm shows of a package and what its releases depend on. It must be
// complete, and the same in all packages.
const problems: string[] = []
for (const workspace of publishedWorkspaces()) {
  const { folder, manifest } = workspace
  const must = (isSo: boolean, what: string): void => {
    if (!isSo) problems.push(`${folder}/package.json ${what}`)
  }
  const all = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Record<string, unknown>
  const has = (member: string, value: unknown): void =>
    must(JSON.stringify(all[member]) === JSON.stringify(value), `has another ${member} than ${JSON.stringify(value)}`)
  has('license', 'MIT')
  has('type', 'module')
  has('homepage', `https://github.com/svc-js/svc/tree/main/${folder}#readme`)
  has('bugs', 'https://github.com/svc-js/svc/issues')
  has('repository', { type: 'git', url: 'git+https://github.com/svc-js/svc.git', directory: folder })
  has('publishConfig', { access: 'public', provenance: true })
  if (isLibrary(workspace)) {
    has('sideEffects', false)
    has('engines', { node: '^20.19.0 || >=22.12.0' })
  }
  must(Boolean(manifest.description), 'has no description')
  must(Array.isArray(all['keywords']) && all['keywords'].length > 4, 'has less than five keywords')
  const files = Array.isArray(all['files']) ? all['files'] : []
  must(
    ['dist', 'CHANGELOG.md'].every((file) => files.includes(file)),
    'publishes no dist or no changelog',
  )
  must(listDocuments(folder).length === 1 || files.includes('docs'), 'does not publish its docs')
  must(existsSync(join(root, folder, 'LICENSE')), 'has no LICENSE next to it')
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
    must(manifest.scripts?.[script] === undefined, `runs something at installation: ${script}`)
}
report('manifests', problems)
