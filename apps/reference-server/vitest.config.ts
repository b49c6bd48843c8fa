import { defineConfig } from 'vitest/config'
import shared from '../tools/vitest.config.ts'

const { include: _, ...options } = shared.test ?? {}

// Tests of the service share a PostgreSQL in each worker. Tests next to a module may mock what it
// imports, so each file has modules of its own. The default is one worker fewer than processors,
// but many tests wait: for Chromium, or for another process.
export default defineConfig({
  ...shared,
  test: {
    ...options,
    maxWorkers: '100%',
    projects: [
      { extends: true, test: { name: 'modules', include: ['src/**/*.test.ts'], isolate: true } },
      { extends: true, test: { name: 'service', include: ['test/**/*.test.ts'] } },
    ],
  },
})
