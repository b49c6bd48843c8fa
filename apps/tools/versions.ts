import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publishedWorkspaces, readText, report, root } from './files.ts'

// The README of the repository names the version of each package, linked with its changes, and the
// README of a package the Node.js that it runs on. `--write`, which a release does, writes the
// versions; without it they must be those of the manifests.
const isWriting = process.argv[2] === '--write'
const problems: string[] = []
let readme = readText('README.md')
for (const { folder, manifest } of publishedWorkspaces()) {
  const { name, version, engines } = manifest
  const changes = `${folder}/CHANGELOG.md`
  const isReleased = version !== '0.0.0'
  const must = (isSo: boolean, problem: string): void => {
    if (!isSo) problems.push(problem)
  }
  const link = new RegExp(`\\[[^\\]]*\\](?=\\(${changes}\\))`)
  if (isWriting) readme = readme.replace(link, `[${version}]`)
  must(!isReleased || link.exec(readme)?.[0] === `[${version}]`, `README.md does not name ${name} ${version}`)
  must(isReleased === existsSync(join(root, changes)), `${changes} and the version ${version} do not go together`)
  must(
    readText(`${folder}/README.md`).includes(`Node.js \`${engines?.['node']}\``),
    `${folder}/README.md does not say that it needs Node.js ${engines?.['node']}`,
  )
}
if (isWriting) writeFileSync(join(root, 'README.md'), readme)
report('versions', problems)
