import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { listDocuments, publishedWorkspaces, readText, root } from '../tools/files.ts'
import { packageLlmsFullText, packageLlmsText } from './llms.ts'

// `npm pack` runs this in each package: its overview for language models, and its whole
// documentation as one text.
const workspace = publishedWorkspaces().find(({ folder }) => folder === relative(root, process.cwd()))
if (!workspace) throw new Error(`${process.cwd()} is not a published package`)
const { folder, manifest } = workspace
const documents = listDocuments(folder).map((name) => ({ name, text: readText(`${folder}/${name}`) }))
writeFileSync(join(root, folder, 'docs/llms.txt'), packageLlmsText(manifest, documents))
writeFileSync(join(root, folder, 'docs/llms-full.txt'), packageLlmsFullText(manifest, documents))
