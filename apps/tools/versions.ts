import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLibrary, isReleased, publishedWorkspaces, readText, report, root } from './files.ts'

// The README of the repository names the version of each package, linked with its changes, and the
// README of a package the Node.js that it runs on. `--write`, which a release does, writes the
// versions; without it they must be those of the manifests.
const isWriting = process.argv[2] === '--write'
const problems: string[] = []
let readme = readText('README.md')
for (const workspace of publishedWorkspaces()) {
  const { folder, manifest } = workspace
  const { name, version, engines } = manifest
  const changes = `${folder}/CHANGELOG.md`
  const must = (isSo: boolean, problem: string): void => {
    if (!isSo) problems.push(problem)
  }
  const link = new RegExp(`\\[[^\\]]*\\](?=\\(${changes}\\))`)
  if (isWriting) readme = readme.replace(link, `[${version}]`)
  must(!isReleased(version) || link.exec(readme)?.[0] === `[${version}]`, `README.md does not name ${name} ${version}`)
  must(
    isReleased(version) === existsSync(join(root, changes)),
    `${changes} and the version ${version} do not go together`,
  )
  // The README of the repository gives the Node.js of the libraries.
  for (const file of [`${folder}/README.md`, ...(isLibrary(workspace) ? ['README.md'] : [])]) {
    const node = `Node.js \`${engines?.['node']}\``
    must(readText(file).includes(node), `${file} does not say that ${name} needs ${node}`)
  }
}
if (isWriting) writeFileSync(join(root, 'README.md'), readme)
report('versions', problems)
