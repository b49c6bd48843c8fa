import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// `dist-tag.ts <folder of changeset pack> <branch>`: what a maintenance branch releases must not
// become `latest`, which would give everybody who installs a package an older major.
const [folder = '', branch = ''] = process.argv.slice(2)
const file = join(folder, 'publish-plan.json')
const plan = readFileSync(file, 'utf8')
if (branch.startsWith('maintenance/')) writeFileSync(file, plan.replaceAll('"tag": "latest"', '"tag": "maintenance"'))
