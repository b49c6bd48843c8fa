import { execFileSync } from 'node:child_process'
import { root } from './files.ts'

/** Files that differ between a revision and the working tree, relative to the root. */
export function changedSince(revision: string): string[] {
  return git('diff', '--name-only', revision).split('\n').filter(Boolean)
}

/** The text of a file at a revision; `undefined` where there is none. */
export function fileAt(revision: string, file: string): string | undefined {
  try {
    return git('show', `${revision}:${file}`)
  } catch {
    return undefined
  }
}

/** The commit that gave a manifest its version; `undefined` if that is not committed yet. */
export function findVersion(file: string, version: string): string | undefined {
  return git('log', '-1', '--format=%H', `-S"version": "${version}"`, '--', file).trim() || undefined
}

/** Returns the merge base of a revision and HEAD; `undefined` if the revision is unknown. */
export function findBase(revision: string): string | undefined {
  try {
    return git('merge-base', revision, 'HEAD').trim()
  } catch {
    return undefined
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 26 }).toString()
}
