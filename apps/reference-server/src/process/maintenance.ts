import type { Logger } from 'pino'
import type { Database } from '../database/connection.ts'
import { deleteSetting, readSetting, writeSetting } from '../database/settings.ts'
import type { ServiceState } from '../http/dependencies.ts'
import { type Poller, startPolling } from './poller.ts'

/** The switch of maintenance: on a shared database one for all its processes. */
export interface MaintenanceSwitch extends Poller {
  /** Rejects where the other processes could not be told; this one is switched all the same. */
  turn(isOn: boolean): Promise<void>
}

const NAME = 'maintenance'
const POLL_MS = 1000

/** Makes the switch, and looks every second whether another process turned it. */
export function maintenanceSwitch(db: Database, state: ServiceState, log: Logger): MaintenanceSwitch {
  const isShared = db.dialect === 'postgres'
  // What this process was started with, or could not tell the others.
  let own = state.maintenance
  const look = async (): Promise<void> => {
    const isOnForAll = (await readSetting(db, NAME)) !== undefined
    state.maintenance = isOnForAll || own
  }
  const turns = isShared && startPolling(POLL_MS, look, (err) => log.debug({ err }, 'maintenance cannot be looked for'))
  return {
    async turn(isOn) {
      own = isOn
      state.maintenance = isOn
      if (!isShared) return
      await (isOn ? writeSetting(db, NAME, 'on') : deleteSetting(db, NAME))
      own = false
    },
    async stop() {
      if (turns) await turns.stop()
    },
  }
}
