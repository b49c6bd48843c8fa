import { defineConfig } from 'vitest/config'

// One configuration for every workspace: `vitest run --config ../../apps/tools/vitest.config.ts --root .`
// Tests run on the source; with SVC_DIST=1 every `@svc/*` import resolves to the built files instead.
const isDist = Boolean(process.env['SVC_DIST'])
const own = isDist ? [] : ['@svc/source']
const conditions = [...own, 'module-sync', 'node']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: own } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', '*.test.ts', 'testing/**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: `.reports/${isDist ? 'dist' : 'source'}.json` }]],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
