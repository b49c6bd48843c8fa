import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listDocuments, readText, root } from '../tools/files.ts'
import { quoted, quotingDocument, quotingPackages } from './harness/quotes.ts'
import { readResults } from './harness/results.ts'

// Writes the measurements of results/results.json into the READMEs and docs of the packages, and
// into the home page; `npm run bench` ends with it.
const results = readResults()
for (const name of quotingPackages) {
  const file = quotingDocument(name, listDocuments, readText)
  writeFileSync(join(root, file), quoted(readText(file), name, results))
}
