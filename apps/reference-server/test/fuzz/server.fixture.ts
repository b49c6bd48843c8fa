import { playgroundFor } from '../../../playground/src/index.ts'
import { readConfig } from '../../src/config.ts'
import { start } from '../../src/start.ts'

// A service that tells its parent what memory it holds: run with --expose-gc and an IPC channel.
const config = readConfig(process.env)
const running = await start(config, { extensions: playgroundFor(config) })
process.send?.({ url: running.url.replace('localhost', '127.0.0.1') })
process.on('message', () => {
  globalThis.gc?.()
  globalThis.gc?.()
  process.send?.({ heapUsed: process.memoryUsage().heapUsed, rss: process.memoryUsage().rss })
})
process.on('disconnect', () => process.exit(0))
