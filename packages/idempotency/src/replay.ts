import type { ServerResponse } from '../../internal/middleware.ts'
import type { StoredResponse } from './response.ts'

/** Sends an answer once more. */
export function replay(res: ServerResponse, { status, fields, body }: StoredResponse, marker: string): void {
  res.statusCode = status
  for (const [name, value] of fields) res.setHeader(name, value)
  res.setHeader(marker, 'true')
  if (body && body.length > 0) res.end(body)
  else res.end()
}
