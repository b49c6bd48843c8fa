import { interceptResponse } from '../../internal/intercept-response.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { getSuffix } from './offers.ts'

/** Gives a JSON or XML response the vendor type that the client requested. Errors keep their own types. */
export function setContentType(req: IncomingMessage, res: ServerResponse, mediaType: string): void {
  const suffix = getSuffix(mediaType)
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
