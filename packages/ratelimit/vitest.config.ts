import base from '../../apps/tools/vitest.config.ts'

// With 'import' among the conditions of the process, `require` inside pg gets an ES module that it cannot use.
const conditions = process.env['SVC_DIST'] ? ['module-sync'] : ['@svc/source', 'module-sync']

export default {
  ...base,
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
}
