import shared from '../../apps/tools/vitest.config.ts'

// Without `import` and `default`: vitest hands the list to node as `--conditions`, and then `require('is-promise')`
// of Express 5 gets an ES module, which breaks every handler there. Both are always among the conditions anyway.
const conditions = process.env['SVC_DIST'] ? ['module-sync', 'node'] : ['@svc/source', 'module-sync', 'node']

export default { ...shared, resolve: { conditions }, ssr: { resolve: { conditions, externalConditions: conditions } } }
