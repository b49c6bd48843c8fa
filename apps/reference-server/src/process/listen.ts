import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A port that cannot be had; `variable` names the one that chose it. */
export class ListenError extends Error {
  constructor({ code, message }: NodeJS.ErrnoException, { variable, port, host }: Place) {
    const where = `${host}:${port}`
    const advice = `Use ${variable}=0 (any free port) or ${variable}=${port + 10}.`
    super(
      code === 'EADDRINUSE'
        ? `SVC_PORT_IN_USE ${where} is taken by another process. ${advice}`
        : `SVC_LISTEN cannot listen on ${where}: ${code ?? message}.`,
    )
  }
}

export interface Place {
  host: string
  port: number
  /** The variable that chose the port. */
  variable: 'PORT' | 'SVC_ADMIN_PORT'
}

/** Listens, and tells where: `localhost:3000`. Rejects with a ListenError. */
export async function listen(server: Server, place: Place): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new ListenError(error, place)))
    server.listen(place.port, place.host, resolve)
  })
  const { address, family, port } = server.address() as AddressInfo
  const name = address === '127.0.0.1' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address
  return `${name}:${port}`
}
