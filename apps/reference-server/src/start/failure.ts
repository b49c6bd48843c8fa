import { ConfigError } from '../config.ts'
import { DatabaseError } from '../database/database.ts'

const PORT_TAKEN = 1
const CONFIGURATION = 78
const DATABASE = 73
const CRASH = 70

/** What a failed start says, in a line or a block, and how the process ends. */
export function startFailure(error: unknown): { message: string; exitCode: number } {
  if (error instanceof ConfigError) return { message: error.message, exitCode: CONFIGURATION }
  if (error instanceof DatabaseError) return { message: `SVC_DATABASE ${error.message}`, exitCode: DATABASE }
  const { code, syscall, address, port } = (error ?? {}) as NodeJS.ErrnoException & { address?: string; port?: number }
  if (syscall === 'listen' && port !== undefined) {
    const where = `${address}:${port}`
    const advice = `Use PORT=0 (any free port) or PORT=${port + 10}.`
    if (code === 'EADDRINUSE')
      return { message: `SVC_PORT_IN_USE ${where} is taken by another process. ${advice}`, exitCode: PORT_TAKEN }
    return { message: `SVC_LISTEN cannot listen on ${where}: ${code}.`, exitCode: PORT_TAKEN }
  }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), exitCode: CRASH }
}
