import { ConfigError } from '../config.ts'
import { DatabaseError } from '../database/connection.ts'
import { ListenError } from './listen.ts'

const PORT_TAKEN = 1
const CONFIGURATION = 78
const DATABASE = 73

/** Exit code after an unexpected error. */
export const CRASH = 70

/** What a failed start says, in a line or a block, and how the process ends. */
export function startFailure(error: unknown): { message: string; exitCode: number } {
  if (error instanceof ConfigError) return { message: error.message, exitCode: CONFIGURATION }
  if (error instanceof DatabaseError) return { message: `SVC_DATABASE ${error.message}`, exitCode: DATABASE }
  if (error instanceof ListenError) return { message: error.message, exitCode: PORT_TAKEN }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), exitCode: CRASH }
}
