import { splitList } from '../../internal/list.ts'
import type { ServerResponse } from '../../internal/middleware.ts'
import { vary } from '../../internal/vary.ts'
import type { ReplayedResponse } from './begun.ts'

/**
 * Sends a kept answer once more. What stands before this in the app codes its body and adds its own fields, as to any.
 */
export function replay(res: ServerResponse, response: ReplayedResponse, marker: string, waited: boolean): void {
  const { status, fields, body } = response
  res.statusCode = status
  for (const [name, value] of fields) {
    // What stands before this may have said already what its own part of the answer varies by.
    if (name.toLowerCase() === 'vary') vary(res, ...splitList(String(value)))
    else res.setHeader(name, value)
  }
  res.setHeader(marker, 'true')
  if (waited) res.setHeader('Preference-Applied', 'wait')
  if (body.length > 0) res.end(body)
  else res.end()
}
