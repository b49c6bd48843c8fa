import type { IncomingMessage, ServerResponse } from 'node:http'
import { decodeBody } from '@svc/negotiate/decode'
import { readBody } from '../../../../packages/internal/body.ts'
import { failure } from '../messages/errors.ts'
import { checkDigests } from './digest.ts'

const MAX_BODY = 1024 * 1024
const MAX_DECODED = 4 * MAX_BODY
const NONE = Buffer.alloc(0)

/** Reads the whole body, decoded, within its limits: 413, and 400 where it is damaged. */
export async function bodyOf(req: IncomingMessage, res: ServerResponse): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': transfer, 'content-encoding': coding, expect } = req.headers
  if (transfer === undefined && (length === undefined || length === '0')) {
    checkDigests(req, NONE)
    return NONE
  }
  if (Number(length ?? 0) > MAX_BODY) throw tooLarge()
  if (expect !== undefined) res.writeContinue()
  const bytes = await new Promise<Buffer>((resolve, reject) =>
    readBody(req, { maxBytes: MAX_BODY, code: 'ERR_SERVER' }, (error, body) => (error ? reject(error) : resolve(body))),
  )
  checkDigests(req, bytes)
  return coding === undefined ? bytes : Buffer.from(await decodeBody(bytes, coding, { maxBytes: MAX_DECODED }))
}

function tooLarge(): Error {
  return failure('BODY_TOO_LARGE.limit', { maxBytes: MAX_BODY })
}
