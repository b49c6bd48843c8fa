import { describe, expect, test } from 'vitest'
import { traceOf } from './log.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'

describe('trace ids (W3C Trace Context)', () => {
  test.each([
    ['of version 00', `00-${TRACE}-${PARENT}-01`],
    ['of a later version, with more behind it', `01-${TRACE}-${PARENT}-01-what-comes`],
    ['of a later version', `fe-${TRACE}-${PARENT}-00`],
  ])('a field %s names the trace', (_what, field) => {
    expect(traceOf(field)).toBe(TRACE)
  })

  test.each([
    ['absent', undefined],
    ['empty', ''],
    ['repeated', [`00-${TRACE}-${PARENT}-01`, `00-${TRACE}-${PARENT}-01`]],
    ['of no trace', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['of no parent', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['of version 00 with more behind it', `00-${TRACE}-${PARENT}-01-more`],
    ['of version ff', `ff-${TRACE}-${PARENT}-01`],
    ['in capital letters', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ['huge', `00-${'a'.repeat(100_000)}`],
  ])('a field that is %s names none', (_what, field) => {
    expect(traceOf(field)).toBeUndefined()
  })
})
