import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A Node.js that the packages support: the first release of a line that they name, or the newest.
 */
export interface Runtime {
  name: string
  binary: string
  /** Why it cannot run here. */
  missing?: string
}

/** The lines of `engines`, each with the binary of an npm package; 26 is the one that runs this. */
export const runtimes: Runtime[] = [
  ...['node20', 'node22', 'node24'].map((name) => {
    const binary = join(import.meta.dirname, 'node_modules', name, 'bin/node')
    return existsSync(binary) ? { name, binary } : { name, binary, missing: `no ${name} for ${process.platform}` }
  }),
  { name: 'node26', binary: process.execPath },
]
