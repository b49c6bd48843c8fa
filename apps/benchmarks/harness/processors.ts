import { type ForkOptions, spawnSync } from 'node:child_process'
import { cpus } from 'node:os'

// What is measured in turn has the same processor, and the client of servers has the others: the
// processors of a virtual machine may differ by a factor of two for minutes.
const LAST = cpus().length - 1
// Not every system has `taskset`, and not every container may use the last processor.
const CAN_PIN = LAST > 0 && spawnSync('taskset', ['--cpu-list', String(LAST), 'true']).status === 0

/** Options for a process that is measured: on Linux it stays on the last processor. */
export const pinned: Pick<ForkOptions, 'execPath' | 'execArgv'> = CAN_PIN
  ? { execPath: 'taskset', execArgv: ['--cpu-list', String(LAST), process.execPath, '--no-warnings'] }
  : { execArgv: ['--no-warnings'] }

let isApart = false

/** Whether this process has processors that no server uses. */
export function isApartFromServers(): boolean {
  return isApart
}

/** Keeps this process, which sends the requests, off the processor of the servers. */
export function leaveToServers(): void {
  isApart = pinThis(`0-${LAST - 1}`)
}

/** Lets this process use all processors again. */
export function useAll(): void {
  pinThis(`0-${LAST}`)
  isApart = false
}

function pinThis(list: string): boolean {
  return CAN_PIN && spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', list, String(process.pid)]).status === 0
}
