/**
 * Returns the milliseconds of CPU time that a function takes in this process. Other processes do
 * not affect it.
 */
export async function measureCpuMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
