import { interceptResponse } from '../../internal/intercept-response.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { getSuffix } from './offers.ts'

/**
 * Sets the vendor type that the client requested on a JSON or XML response. Errors keep their own
 * types.
 */
export function setContentType(req: IncomingMessage, res: ServerResponse, mediaType: string): void {
  interceptResponse(req, res, {
    head: () => {
      const type = toVendorType(res.getHeader('content-type'), res.statusCode, { mediaType })
      if (type !== undefined) res.setHeader('Content-Type', type)
    },
  })
}

/**
 * Returns the vendor type for a response with the parameters of its type, or `undefined` if the
 * type stays.
 */
export function toVendorType(
  current: unknown,
  status: number,
  { mediaType }: { mediaType?: string },
): string | undefined {
  if (mediaType === undefined || status >= 400 || typeof current !== 'string') return undefined
  const [plain = '', ...parameters] = current.split(';')
  if (plain.trim().toLowerCase() !== `application/${getSuffix(mediaType)}`) return undefined
  return [mediaType, ...parameters].join(';')
}
