import type { Readable } from 'node:stream'

/**
 * Destroys a stream that will not be read, which would keep its file or socket open. An error of
 * its own that comes later must not end the process.
 */
export function destroyBody(body: Readable): void {
  body.on('error', () => {})
  body.destroy()
}
