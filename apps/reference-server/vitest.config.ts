import { defineConfig } from 'vitest/config'
import shared from '../tools/vitest.config.ts'

const { include: _, ...options } = shared.test ?? {}

// Tests of the service share its modules and a PostgreSQL in each worker, which start once. Tests
// next to a module may mock what it imports, so each file has modules of its own.
export default defineConfig({
  ...shared,
  test: {
    ...options,
    projects: [
      { extends: true, test: { name: 'modules', include: ['src/**/*.test.ts'] } },
      { extends: true, test: { name: 'service', include: ['test/**/*.test.ts'], isolate: false } },
    ],
  },
})
