import type { ServerResponse } from '../../internal/middleware.ts'

/**
 * Watches what `res.send` of Express is given, where there is one, and tells it. To HEAD it ends the response without
 * a body, so that the tag of GET could not be made from what is sent.
 */
export function watchSend(res: ServerResponse): () => Buffer | undefined {
  const { send } = res as { send?: unknown }
  let sent: Buffer | undefined
  if (typeof send === 'function') {
    const watched = (...args: unknown[]): unknown => {
      for (const body of args) {
        if (typeof body === 'string') sent = Buffer.from(body)
        else if (Buffer.isBuffer(body)) sent = body
      }
      return send.apply(res, args)
    }
    Object.assign(res, { send: watched })
  }
  return () => sent
}
