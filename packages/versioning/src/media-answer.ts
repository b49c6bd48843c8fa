import { interceptResponse } from '../../internal/intercept-response.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { suffixOf } from './offers.ts'

/** Sends a plain JSON or XML answer under the vendor type that the caller asked for. Errors keep their own types. */
export function writeMediaType(req: IncomingMessage, res: ServerResponse, mediaType: string): void {
  const suffix = suffixOf(mediaType)
  interceptResponse(req, res, {
    head: () => {
      const current = res.getHeader('Content-Type')
      if (res.statusCode >= 400 || typeof current !== 'string') return
      const [plain = '', ...parameters] = current.split(';')
      if (plain.trim().toLowerCase() === `application/${suffix}`)
        res.setHeader('Content-Type', [mediaType, ...parameters].join(';'))
    },
  })
}
