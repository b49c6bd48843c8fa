import { codesIn, listDocuments, publishedWorkspaces, readText, report, sourceCodes } from './files.ts'

// Codes are API: each code in the source of a package is in its README.md or docs/*.md, and no
// other code is.
const problems: string[] = []
for (const workspace of publishedWorkspaces()) {
  const { folder, manifest } = workspace
  if (!folder.startsWith('packages/')) continue
  const inSource = new Set(sourceCodes(workspace))
  const documents = listDocuments(folder).map((name) => readText(`${folder}/${name}`))
  const inDocuments = new Set(codesIn(documents.join('\n')))
  const prefix = `_${manifest.name.replace('@svc/', '').replaceAll('-', '_').toUpperCase()}`
  for (const code of inSource) if (!inDocuments.has(code)) problems.push(`${folder} does not document ${code}`)
  for (const code of inDocuments) {
    if (!inSource.has(code) && code.slice(3).startsWith(prefix))
      problems.push(`${folder} documents ${code}, which is not in its source`)
  }
}
report('codes', problems)
