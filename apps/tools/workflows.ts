import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { report, root, trackedFiles } from './files.ts'

// No one else can change what runs with the rights to publish. Actions are pinned by commit, with
// their version in a comment. No job has a right that it does not name. No checkout stores its
// credentials.
const problems: string[] = []
for (const file of trackedFiles(/^\.github\/workflows\/.*\.ya?ml$/)) {
  const text = readFileSync(join(root, file), 'utf8')
  if (!/^permissions: \{\}$/m.test(text)) problems.push(`${file} does not begin with no rights: permissions: {}`)
  for (const [, used = ''] of text.matchAll(/^\s*(?:- )?uses: (.*)$/gm)) {
    if (!/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(used))
      problems.push(`${file} uses ${used}, which is not pinned by commit with its version`)
  }
  const checkouts = text.match(/uses: actions\/checkout@/g)?.length ?? 0
  const careful = text.match(/persist-credentials: false/g)?.length ?? 0
  if (careful < checkouts) problems.push(`${file} has a checkout without persist-credentials: false`)
}
report('workflows', problems)
