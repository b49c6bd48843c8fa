import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { billOfMaterials } from './bill-of-materials.ts'
import { publishedWorkspaces } from './files.ts'

// `sbom.ts <folder>`: the bills of materials of all published packages, in the formats of CycloneDX
// and SPDX.
const folder = process.argv[2] ?? 'sbom'
mkdirSync(folder, { recursive: true })
for (const { manifest } of publishedWorkspaces()) {
  const name = `${manifest.name.replace('@svc/', '')}-${manifest.version}`
  for (const format of ['cyclonedx', 'spdx'] as const)
    writeFileSync(join(folder, `${name}.${format}.json`), billOfMaterials(manifest, format))
  console.log(`sbom: ${name}`)
}
