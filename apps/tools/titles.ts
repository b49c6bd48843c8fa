import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, trackedFiles } from './files.ts'

/** A test whose title begins with what it proves. */
export interface Proof {
  /** Relative to the root. */
  file: string
  /** First word of the title. */
  key: string
  /** The rest of the title. */
  says: string
}

// Also the title of a table of tests: `test.each([…])('…'`.
const TITLE = /(?:\btest|\]\))\(\s*'([^\s'\\]+) ((?:[^'\\]|\\.)*)'/g

/** The tests in files that match, whose title begins with a key that matches. */
export function listProofs(files: RegExp, key: RegExp): Proof[] {
  return trackedFiles(files).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(TITLE)]
      .map(([, first = '', says = '']) => ({ file, key: first, says }))
      .filter((proof) => key.test(proof.key)),
  )
}
