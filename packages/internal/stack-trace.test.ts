import { describe, expect, it } from 'vitest'
import { omitStacks, restoreStacks } from './stack-trace.ts'

function createWithoutStack(message: string): Error {
  const limit = omitStacks()
  const error = new Error(message)
  restoreStacks(limit, error, 'HttpError')
  return error
}

describe('errors without a stack', () => {
  it('have the first line of one', () => {
    expect(createWithoutStack('There is no such employee.').stack).toBe('HttpError: There is no such employee.')
  })

  it('leave the limit as the app has set it', () => {
    const before = Error.stackTraceLimit
    for (const limit of [0, 3, undefined as unknown as number]) {
      Error.stackTraceLimit = limit
      createWithoutStack('no')
      expect(Error.stackTraceLimit).toBe(limit)
    }
    Error.stackTraceLimit = before
    expect(new Error('with a stack').stack).toContain('stack-trace.test.ts')
  })
})
