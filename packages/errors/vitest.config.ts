import base from '../../apps/tools/vitest.config.ts'

// Without `import` among the conditions: node takes them for `require` too, and pg and Express 5 (is-promise) then
// get ES modules where they ask for functions.
const conditions = process.env['SVC_DIST'] ? ['module-sync', 'node'] : ['@svc/source', 'module-sync', 'node']

export default { ...base, ssr: { resolve: { conditions, externalConditions: conditions } } }
