import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { InFlight } from './dependencies.ts'

const response = (): ServerResponse => ({}) as ServerResponse

describe('requests in flight', () => {
  test('are counted until they are over, whatever their order', () => {
    const inFlight = new InFlight()
    const responses = Array.from({ length: 5 }, response)
    for (const res of responses) inFlight.add(res)
    for (const at of [2, 0, 4]) inFlight.delete(responses[at] as ServerResponse)
    expect([...inFlight].sort()).toEqual([responses[1], responses[3]])
    expect(inFlight.size).toBe(2)
  })

  test('are over once', () => {
    const inFlight = new InFlight()
    const [first, second] = [response(), response()]
    inFlight.add(first)
    inFlight.add(second)
    inFlight.delete(first)
    inFlight.delete(first)
    expect([...inFlight]).toEqual([second])
  })
})
