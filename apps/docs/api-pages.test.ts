import { expect, test } from 'vitest'
import { parseReport } from './api-declarations.ts'
import { type ApiPackage, apiIndex, apiPages } from './api-pages.ts'

const report = `# @svc/x

## @svc/x

\`\`\`ts
/** Options for \`x()\`. */
interface XOptions extends Base {
    /** Maximum time in milliseconds. @defaultValue 100 */
    waitMs?: number;
    /** Called for <each> request. */
    run(name: string): void;
}
/** Codes. */
type XErrorCode = 'ERR_X_LATE';
/**
 * Creates a middleware. Throws \`ERR_X_LATE\`.
 *
 * @example
 * app.use(x())
 */
declare function x(options?: XOptions): Middleware;
\`\`\`

## @svc/x/stores/redis

\`\`\`ts
// exported as default
/** Counts in Redis. */
declare function redisStore(options: XOptions): void;
/** Counts in Redis. */
declare function redisStore(options: XOptions): void;
\`\`\`

## Named above, and not exported

\`\`\`ts
/** Middleware. */
type Middleware = () => void;
\`\`\`
`

const source: ApiPackage = {
  short: 'x',
  description: 'An example',
  entries: parseReport(report),
  codes: [{ code: 'ERR_X_LATE', status: '503', text: 'Retry' }],
  guides: ['packages/x.md', 'packages/x/all-options.md'],
  findSource: (specifier, name) => (name === 'x' ? { file: `packages/${specifier}.ts`, line: 7 } : undefined),
}
const pages = apiPages(source)
const main = pages.get('api/x/index.md') ?? ''

test('has a page for each import and one for what cannot be imported', () => {
  expect([...pages.keys()]).toEqual(['api/x/index.md', 'api/x/stores-redis.md', 'api/x/unexported.md'])
  expect(main).toContain("import { x } from '@svc/x'")
  expect(main).toContain('[README](../../packages/x.md) · [all options](../../packages/x/all-options.md)')
})

test('shows a function with its signature, example, types and source', () => {
  expect(main).toContain('### x() {#x}\n\nCreates a middleware. Throws [`ERR_X_LATE`](../../codes/ERR_X_LATE.md).')
  expect(main).toContain('```ts\nfunction x(options?: XOptions): Middleware\n```')
  expect(main).toContain('Example:\n\n```ts\napp.use(x())\n```')
  expect(main).toContain('Types: [`XOptions`](#XOptions), [`Middleware`](./unexported.md#Middleware).')
  expect(main).toMatch(/\[Source\]\(https:\S+packages\/@svc\/x\.ts#L7\)/)
})

test('shows options as a table with defaults, and escapes what is no markup', () => {
  expect(main).toContain('| `waitMs` | `number` | `100` | Maximum time in milliseconds |')
  expect(main).toContain('| `run` | `(name) => void` | required | Called for &lt;each&gt; request |')
  expect(main).toContain('interface XOptions extends Base')
})

test('lists the codes of the package, with their pages', () => {
  expect(main).toContain('| [`ERR_X_LATE`](../../codes/ERR_X_LATE.md) | 503 | Retry |')
  expect(pages.get('api/x/stores-redis.md')).not.toContain('## Errors')
})

test('names a default export once', () => {
  const page = pages.get('api/x/stores-redis.md') ?? ''
  expect(page.match(/^### redisStore/gm)).toHaveLength(1)
  expect(page).toContain('Also the default export.')
  expect(page).toContain("import redisStore from '@svc/x/stores/redis'\nimport { redisStore }")
})

test('the overview links every function of every import', () => {
  const text = apiIndex([source])
  expect(text).toContain(
    '| [`@svc/x/stores/redis`](./x/stores-redis.md) | [`redisStore()`](./x/stores-redis.md#redisStore) |',
  )
  expect(text).not.toContain('unexported')
})
