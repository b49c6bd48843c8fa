import { defineConfig } from 'vitest/config'

// One configuration for every workspace: `vitest run --config ../../apps/tools/vitest.config.ts --root .`
// Tests run on the source; with SVC_DIST=1 every `@svc/*` import resolves to the built files instead.
const conditions = process.env['SVC_DIST']
  ? ['module-sync', 'node', 'import', 'default']
  : ['@svc/source', 'module-sync', 'node', 'import', 'default']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', '*.test.ts', 'testing/**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: `.reports/${process.env['SVC_DIST'] ? 'dist' : 'source'}.json` }]],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
