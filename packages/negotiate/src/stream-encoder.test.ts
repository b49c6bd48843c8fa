import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { streamEncoder } from './stream-encoder.ts'

/** A response whose socket is full after the first chunk. */
function createResponse(destroyed = false) {
  const res = Object.assign(new EventEmitter(), { destroyed, writableNeedDrain: false, destroy: () => {} })
  const first = Promise.withResolvers<void>()
  const downstream = {
    write() {
      res.writableNeedDrain = true
      first.resolve()
      return false
    },
    end: () => {},
    reopen: () => {},
  }
  const coder = streamEncoder('gzip', res as unknown as ServerResponse, downstream, false)
  const drainSocket = (): void => {
    res.writableNeedDrain = false
    res.emit('drain')
  }
  return { res, coder, drainSocket, isFull: first.promise }
}

test('emits drain once the encoder has drained too', async () => {
  const { res, coder, drainSocket, isFull } = createResponse()
  const ready: boolean[] = []
  res.on('drain', () => ready.push(coder.write(Buffer.from('more'))))
  for (let count = 0; count < 10; count++) coder.write(randomBytes(64 * 1024))
  await isFull
  expect(ready).toEqual([])
  drainSocket()
  expect(ready).toEqual([])
  const timer = setInterval(drainSocket, 1)
  await once(res, 'drain')
  clearInterval(timer)
  expect(ready).toEqual([true])
})

test('emits the drain of the socket if the encoder has room', async () => {
  const { res, coder, drainSocket, isFull } = createResponse()
  coder.write(randomBytes(1024))
  coder.flush()
  await isFull
  let count = 0
  res.on('drain', () => count++)
  drainSocket()
  expect(count).toBe(1)
})

test.each([[false], [true]])('compresses nothing if the client has left before the first chunk: %j', (hasLeft) => {
  const { coder } = createResponse(hasLeft)
  expect(coder.write(Buffer.from('text'))).toBe(!hasLeft)
  expect(() => coder.flush()).not.toThrow()
  expect(() => coder.end(undefined)).not.toThrow()
})
