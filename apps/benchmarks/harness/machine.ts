import { readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { setTimeout } from 'node:timers/promises'

/** Other load of the machine while a suite ran. */
export interface Surroundings {
  /** The load of the last minute, which counts the benchmark too. */
  load: number[]
  /** The share of the processors that others had in a moment in which the benchmark did nothing. */
  others: number[]
}

/** From here on figures that count time rather than CPU are not judged. */
export const MAX_OTHERS = 0.15

// The servers and workers of the previous run end in the meantime, so they do not count as other
// load.
const SETTLE_MS = 2000
const PAUSE_MS = 400

/** Looks around while nothing is measured. */
export async function lookAround(): Promise<{ load: number; others: number }> {
  await setTimeout(SETTLE_MS)
  const before = processors()
  await setTimeout(PAUSE_MS)
  const after = processors()
  const all = after.all - before.all
  return { load: loadavg()[0] ?? 0, others: all === 0 ? 0 : (after.busy - before.busy) / all }
}

function processors(): { busy: number; all: number } {
  let busy = 0
  let all = 0
  for (const { times } of cpus()) {
    const working = times.user + times.nice + times.sys + times.irq
    busy += working
    all += working + times.idle
  }
  return { busy, all }
}

/** Returns the machine and the versions of the peers that the results belong to. */
export function circumstances(): Record<'machine' | 'peers', string> {
  const { devDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
    packages: Record<string, { version?: string }>
  }
  return {
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    peers: Object.keys(devDependencies)
      .map((name) => `${name} ${packages[`node_modules/${name}`]?.version ?? ''}`)
      .join(', '),
  }
}
