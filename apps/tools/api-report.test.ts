import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { apiReport, compareReports } from './api-report.ts'
import { root } from './files.ts'

const before = `## @svc/x

\`\`\`ts
/** What it was. */
interface Options {
    limit: number;
}
declare function x(options: Options): void;
\`\`\`
`

describe('two reports compared', () => {
  test.each([
    { what: 'nothing', after: before, says: 'same' },
    { what: 'a comment', after: before.replace('What it was.', 'What it is.\n * And how.'), says: 'same' },
    { what: 'an order', after: before.replace(/(interface[\s\S]*?^\}\n)(declare.*\n)/m, '$2$1'), says: 'same' },
    { what: 'one more member', after: before.replace('number;', 'number;\n    window?: string;'), says: 'grew' },
    {
      what: 'the same line twice',
      after: before.replace('declare', 'declare function x(options: Options): void;\ndeclare'),
      says: 'grew',
    },
    { what: 'a member less', after: before.replace('    limit: number;\n', ''), says: 'shrank' },
    { what: 'a narrower type', after: before.replace('number;', '1 | 2;'), says: 'shrank' },
    { what: 'a function less, another more', after: before.replace('function x', 'function y'), says: 'shrank' },
    { what: 'everything gone', after: '', says: 'shrank' },
  ])('$what is: $says', ({ after, says }) => {
    expect(compareReports(before, after)).toBe(says)
  })

  test('one of two equal lines gone is less', () => {
    expect(compareReports('a\nb\na\n', 'a\nb\n')).toBe('shrank')
  })
})

test('a report names every entry and what stands behind its types, and no hash', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-report-'))
  mkdirSync(join(folder, 'dist'))
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text)
  write('tsconfig.json', '{ "compilerOptions": { "module": "nodenext" } }')
  write('package.json', '{ "type": "module" }')
  write(
    'dist/rate-Bfc1IzXi.d.ts',
    'type Unit = "s" | "m";\ntype Rate = `${number}/${Unit}`;\nexport type { Rate as R };',
  )
  write('dist/store.d.ts', '/** Keeps. */\nexport interface Store { rate: import("./rate-Bfc1IzXi.js").R }')
  write(
    'dist/index.d.ts',
    'import { R } from "./rate-Bfc1IzXi.js";\n/** Limits. */\ndeclare const x: (rate: R) => void;\nexport { x as limit };',
  )
  const types = (file: string): object => ({ import: { types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` } })
  const exports = { '.': types('index'), './store': types('store'), './package.json': './package.json' }
  const manifest = { name: '@svc/x', version: '0.0.0', exports }
  expect(apiReport({ folder: relative(root, folder), manifest })).toBe(`# @svc/x

## @svc/x

\`\`\`ts
// exported as limit
/** Limits. */
declare const x: (rate: R) => void;
\`\`\`

## @svc/x/store

\`\`\`ts
/** Keeps. */
export interface Store { rate: import("./rate.js").R }
\`\`\`

## Named above, and not exported

\`\`\`ts
type Rate = \`\${number}/\${Unit}\`;
type Unit = "s" | "m";
\`\`\`
`)
  rmSync(folder, { recursive: true })
})
