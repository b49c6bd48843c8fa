import { type RemoteModule, remoteModule } from '../harness/remote.ts'
import { computeRatio, spread } from '../harness/table.ts'
import type { Prices } from './check.ts'

/** Duration of a measurement. */
export interface PriceEffort {
  /** Pairs of fresh processes: two processes of one program differ by up to 12 %. */
  pairs: number
  /** Turns of each request in each pair. */
  rounds: number
  /** CPU milliseconds of one turn. */
  slice: number
}

const WARM_UP_TURNS = 8

interface Pair {
  ours: RemoteModule
  bare: RemoteModule
}

/**
 * Measures the price of requests: the median over pairs of processes of the median ratio within
 * rounds.
 */
export async function measurePrices(names: readonly string[], { pairs, rounds, slice }: PriceEffort): Promise<Prices> {
  const ratios = new Map<string, number[]>(names.map((name) => [name, []]))
  for (let pair = 0; pair < pairs; pair++) {
    const processes = startPair()
    try {
      for (const name of names) ratios.get(name)?.push(await ratioIn(processes, name, rounds, slice))
    } finally {
      processes.ours.stop()
      processes.bare.stop()
    }
  }
  return Object.fromEntries([...ratios].map(([name, all]) => [name, Number(spread(all).median.toFixed(3))]))
}

function startPair(): Pair {
  const source = { execArgv: ['--conditions=@svc/source'] }
  return {
    ours: remoteModule(new URL('reference.ts', import.meta.url), source),
    bare: remoteModule(new URL('bare.ts', import.meta.url), source),
  }
}

async function ratioIn({ ours, bare }: Pair, name: string, rounds: number, slice: number): Promise<number> {
  const operations = { ours: ours.operation(name), bare: bare.operation(name) }
  const costs: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  // V8 compiles during the first turns, and for longer on a busy machine.
  for (let turn = 0; turn < WARM_UP_TURNS; turn++) {
    await operations.ours.costOf(slice)
    await operations.bare.costOf(slice)
  }
  for (let round = 0; round < rounds; round++) {
    costs.ours.push(await operations.ours.costOf(slice))
    costs.bare.push(await operations.bare.costOf(slice))
  }
  return computeRatio(costs.ours, costs.bare)
}
