import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of this process that goes with it. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
