import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importsOf, report, resolveFrom, root, trackedFiles } from './files.ts'

// Who may import whom. A rule: files that it speaks of, and what they must not import.
interface Rule {
  files: RegExp
  forbidden: (target: string, file: string) => boolean
  because: string
}

const server = 'apps/reference-server/src'
const packageOf = (file: string): string => file.split('/').slice(0, 2).join('/')

const rules: Rule[] = [
  {
    files: /^packages\/internal\/[^/]+\.ts$/,
    forbidden: (target) => !target.startsWith('node:') && !target.startsWith('packages/internal/'),
    because: 'internal imports nothing but node:',
  },
  {
    files: /^packages\/(?!internal)[^/]+\/src\//,
    forbidden: (target, file) =>
      target.startsWith('@svc/') ||
      (target.startsWith('packages/') && ![packageOf(file), 'packages/internal'].includes(packageOf(target))),
    because: 'packages do not import each other',
  },
  {
    files: /^packages\/[^/]+\/src\//,
    forbidden: (target) => target.startsWith('apps/'),
    because: 'packages know no app',
  },
  {
    files: new RegExp(`^${server}/(?!app\\.ts)`),
    forbidden: (target) => target === 'express',
    because: 'only app.ts imports express',
  },
  {
    files: new RegExp(`^${server}/resources/(?!define)`),
    forbidden: (target) => target.startsWith(`${server}/`) && !/\/(resources|database)\//.test(target),
    because: 'resources import define and the database alone',
  },
  {
    files: new RegExp(`^${server}/pipeline/`),
    forbidden: (target) => target.startsWith(`${server}/resources/`),
    because: 'the pipeline knows no resources',
  },
  {
    files: new RegExp(`^${server}/representations/`),
    forbidden: (target) => new RegExp(`^${server}/(database|pipeline|jobs)/`).test(target),
    because: 'representations see results, not where they come from',
  },
]

const problems: string[] = []
for (const file of trackedFiles(/^(packages|apps)\/.*\.ts$/)) {
  if (/\.(test|bench|d)\.ts$|\/testing(\/|\.ts)/.test(file)) continue
  const applicable = rules.filter((rule) => rule.files.test(file))
  if (applicable.length === 0) continue
  for (const specifier of importsOf(readFileSync(join(root, file), 'utf8'))) {
    const target = specifier.startsWith('.') ? resolveFrom(file, specifier) : specifier
    for (const { forbidden, because } of applicable) {
      const own = target.startsWith('@svc/') && file.startsWith(`packages/${target.split('/')[1]}/`)
      if (!own && forbidden(target, file)) problems.push(`${file} imports ${specifier}: ${because}`)
    }
  }
}
report('boundaries', problems)
