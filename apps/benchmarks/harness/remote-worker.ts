import { calibrate, measureCpu } from './measure.ts'

const { operations } = (await import(process.argv[2] ?? '')) as { operations: Record<string, () => unknown> }
const counts = new Map<string, number>()
/** A parser is quick only after some thousand messages. */
const WARM_UP_MS = 300
/** So many operations at least, since each pays for the garbage of those before it. */
const MIN_COUNT = 8

process.on('message', async ({ name, slice }: { name: string; slice: number }) => {
  const run = operations[name]
  if (!run) throw new TypeError(`there is no operation ${name}`)
  if (!counts.has(name)) await calibrate(run, WARM_UP_MS)
  const count = counts.get(name) ?? Math.max(MIN_COUNT, await calibrate(run, slice))
  counts.set(name, count)
  process.send?.(await measureCpu(run, count))
})
