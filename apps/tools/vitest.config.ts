import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { SkippedReporter } from './skipped-reporter.ts'
import { StalledReporter } from './stalled-reporter.ts'

// One configuration for every workspace, which that of the reference server extends, used with
// `--config ../../apps/tools/vitest.config.ts --root .`. Tests run on the source; with
// SVC_DIST=1 every `@svc/*` import resolves to the built files instead.
const isDist = Boolean(process.env['SVC_DIST'])
const sources = isDist ? [] : ['@svc/source']
const conditions = [...sources, 'module-sync', 'node']

const GUARD_MS = 120_000

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: sources } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', '*.test.ts', 'testing/**/*.test.ts'],
    reporters: [
      'default',
      new SkippedReporter(`.reports/${isDist ? 'dist' : 'source'}-skipped.txt`),
      new StalledReporter(),
      ['json', { outputFile: `.reports/${isDist ? 'dist' : 'source'}.json` }],
    ],
    pool: 'forks',
    // The test files of a worker share its modules, which takes half as long.
    isolate: false,
    setupFiles: [join(import.meta.dirname, 'fresh-process.ts')],
    // Programs that tests start compile their modules once, as `npm start` does.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compile-cache') },
    // Guards against hanging, not measurements: a loaded machine must not fail a test. Only a test
    // that takes longer than this by design sets a limit of its own.
    testTimeout: GUARD_MS,
    hookTimeout: GUARD_MS,
    teardownTimeout: GUARD_MS,
    expect: { poll: { timeout: GUARD_MS } },
  },
})
