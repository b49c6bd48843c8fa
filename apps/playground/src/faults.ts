import { invalid, type Middleware, type Problem } from '../../reference-server/src/index.ts'
import { delay } from './delay.ts'
import { playFailure } from './failure.ts'

const SLOW = /^slow:(\d(?:\.\d)?|10)s$/
const STATUS = /^[45]\d\d$/
const UNKNOWN_FAULT: Problem = {
  pointer: '',
  location: 'header',
  field: 'X-Demo-Fault',
  key: 'INVALID_PARAMETER.oneOf',
  params: { allowed: ['400–599', 'slow:<0–10>s', 'drop', 'store-down'] },
}

/**
 * Fails on purpose, as `X-Demo-Fault` says: a status, `slow:2s`, `drop` (the connection breaks) or
 * `store-down`. The error takes the usual way to the error handler.
 */
export function faults(): Middleware {
  const wait = delay()
  return (req, _res, next) => {
    const fault = req.headers['x-demo-fault']
    if (typeof fault !== 'string') return next()
    const [, seconds] = SLOW.exec(fault) ?? []
    if (seconds !== undefined) return wait(req, Number(seconds) * 1000, next)
    if (fault === 'drop') return void req.socket.destroy()
    if (fault === 'store-down') return next(refusedConnection())
    if (STATUS.test(fault)) return next(failed(Number(fault)))
    next(invalid(400, 'INVALID_PARAMETER', [UNKNOWN_FAULT]))
  }
}

/** The error of a database driver that cannot connect. */
function refusedConnection(): Error {
  return Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED', syscall: 'connect' })
}

function failed(status: number): Error {
  if (status === 500) return new Error('a bug, on purpose: nothing of this text reaches the client')
  const retryAfter = status === 429 || status === 503 ? { retryAfter: 1 } : {}
  return playFailure(status, 'error.fault', retryAfter)
}
