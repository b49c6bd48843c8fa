import type { Effort } from '../harness/measure.ts'
import { type Target as Bound, computeRatio, type Goal, spread, type Table } from '../harness/table.ts'
import { during, type Span, shoot } from './load.ts'
import { formatInTurn, type RequestTo } from './requests.ts'
import type { Target } from './targets.ts'

/** Cost of the requests of one slice. */
export interface Sample {
  perSecond: number
  /** Microseconds a request. */
  cpu: number
}

export interface ScenarioGoal extends Bound {
  /** `extra`: the CPU that ours takes more, in nanoseconds. */
  figure: keyof Sample | 'extra'
  ours: string
  against: string
}

/** One request that all servers get. */
export interface Scenario {
  name: string
  note?: string
  /** Expected status. A server that returns another one is omitted. */
  status: number
  /** Expected status by server name, if it differs from `status`. */
  statusOf?: Record<string, number>
  request: RequestTo
  goals: ScenarioGoal[]
}

/** Returns the figures of a server in each round. */
type ListFigures = (name: string, figure: keyof Sample) => number[]

interface Run {
  name: string
  sample: (ms: number) => Promise<Sample>
  samples: Sample[]
}

export const CONNECTIONS = 32
/**
 * The shortest slice that says something: a server that collects garbage once in it is not slow.
 */
const SLICE_MS = 200

/** Requests a second and CPU a request of each server, in turn. */
export async function compare(
  scenario: Scenario,
  targets: readonly Target[],
  wantedBase: string,
  effort: Effort,
): Promise<Table> {
  const ms = Math.max(effort.slice * 20, SLICE_MS)
  const runs = await warmedUp(scenario, targets, effort.warmUp)
  // If the wanted base is omitted, falls back to the first server that was measured.
  const base = runs.some(({ name }) => name === wantedBase) ? wantedBase : (runs[0]?.name ?? '')
  for (let round = 0; round < Math.ceil(effort.rounds / 2); round++) {
    for (let turn = 0; turn < runs.length; turn++) {
      const run = runs[(turn + round) % runs.length]
      run?.samples.push(await run.sample(ms))
    }
  }
  const of: ListFigures = (name, figure) =>
    runs.find((run) => run.name === name)?.samples.map((sample) => sample[figure]) ?? []
  return {
    table: scenario.name,
    ...(scenario.note && { note: scenario.note }),
    columns: [
      { name: 'requests/s', unit: 'per second', wall: true },
      { name: '10 %', unit: 'per second', wall: true, keep: 'least' },
      { name: '90 %', unit: 'per second', wall: true, keep: 'greatest' },
      { name: 'CPU a request', unit: 'time' },
      { name: `to ${base}`, unit: 'times' },
    ],
    rows: runs.map(({ name }) => {
      const { median, low, high } = spread(of(name, 'perSecond'))
      const cpu = spread(of(name, 'cpu')).median
      return { name, figures: [median, low, high, cpu * 1000, computeRatio(of(name, 'cpu'), of(base, 'cpu'))] }
    }),
    goals: scenario.goals
      .filter(({ ours, against }) => of(ours, 'cpu').length > 0 && of(against, 'cpu').length > 0)
      .map((goal) => judged(goal, of)),
  }
}

function judged({ figure, ours, against, ...bound }: ScenarioGoal, of: ListFigures): Goal {
  if (figure === 'extra') {
    const base = of(against, 'cpu')
    const differences = of(ours, 'cpu').map((cpu, round) => (cpu - (base[round] ?? 0)) * 1000)
    const what = `CPU of ${ours} beyond that of ${against}`
    return { ...bound, what, unit: 'time', reached: [spread(differences).median] }
  }
  const what = `${figure === 'cpu' ? 'CPU' : 'requests a second'} of ${ours} to ${against}`
  const reached = [computeRatio(of(ours, figure), of(against, figure))]
  return { ...bound, what, unit: 'times', wall: figure === 'perSecond', reached }
}

const warmTargets = new WeakSet<Target>()

/** Returns the servers that respond with the expected status, warmed up. */
async function warmedUp(scenario: Scenario, targets: readonly Target[], warmUp: Effort['warmUp']): Promise<Run[]> {
  const runs: Run[] = []
  for (const target of targets) {
    const status = scenario.statusOf?.[target.name] ?? scenario.status
    const next = formatInTurn(await scenario.request(target))
    const take = (span: number | Span): Promise<Sample> => sample(target, next, [status], span)
    try {
      const ms = warmTargets.has(target) ? warmUp.ms : 2 * warmUp.ms
      await take({ ...warmUp, ms })
      warmTargets.add(target)
      runs.push({ name: target.name, sample: take, samples: [] })
    } catch (error) {
      if (!(error instanceof UnexpectedStatus)) throw error
      console.log(error.message)
    }
  }
  return runs
}

class UnexpectedStatus extends Error {}

/**
 * Sends requests for a time, which a number gives in milliseconds. Throws if the server responds
 * with another status.
 */
export async function sample(
  target: Target,
  next: () => string,
  statuses: readonly number[],
  span: number | Span,
  connections = CONNECTIONS,
): Promise<Sample> {
  const before = await target.usage()
  const { answers, seconds } = await shoot(target.port, connections, during(span, next))
  const after = await target.usage()
  const right = statuses.reduce((sum, status) => sum + (answers.get(status) ?? 0), 0)
  if ([...answers.keys()].some((status) => !statuses.includes(status)) || right === 0)
    throw new UnexpectedStatus(`${target.name} returned ${JSON.stringify([...answers])}, not ${statuses}`)
  return { perSecond: right / seconds, cpu: (after.cpu - before.cpu) / right }
}
