import { type Bench, calibrate, listOperations, measureCpu, type Operation } from './measure.ts'

/** A module with operations, or a suite. */
interface RemoteModule {
  operations?: Record<string, Operation>
  benches?: () => Bench[] | Promise<Bench[]>
}

const { operations, benches } = (await import(process.argv[2] ?? '')) as RemoteModule
const prepared = listOperations((await benches?.()) ?? [])
const counts = new Map<string, number>()
const runs = new Map<string, Operation>()
/** Before the first measuring: so many operations, within these limits of time. */
const WARM_UP = { operations: 50_000, minMs: 300, maxMs: 1000 }
/** So many operations at least, since each pays for the garbage of those before it. */
const MIN_COUNT = 8

// V8 inlines a call that had one target only, and then moves out of the loop what is the same each
// time. It begins to watch targets after some calls.
for (const nothing of [() => 1, () => 2]) await measureCpu(nothing, 10_000)

process.on('message', async ({ name, slice }: { name: string; slice: number }) => {
  const run = runs.get(name) ?? operations?.[name] ?? (await prepared[name]?.())
  if (!run) throw new TypeError(`there is no operation ${name}`)
  runs.set(name, run)
  if (!counts.has(name)) await warmUp(run)
  const count = counts.get(name) ?? Math.max(MIN_COUNT, await calibrate(run, slice))
  counts.set(name, count)
  process.send?.(await measureCpu(run, count))
})

async function warmUp(run: Operation): Promise<void> {
  const done = await calibrate(run, WARM_UP.minMs)
  const most = done * (WARM_UP.maxMs / WARM_UP.minMs - 1)
  if (done < WARM_UP.operations) await measureCpu(run, Math.ceil(Math.min(WARM_UP.operations - done, most)))
}
