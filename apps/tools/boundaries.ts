import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listImports, report, resolveFrom, root, trackedFiles } from './files.ts'

// Who may import whom. A rule: files that it speaks of, and what they must not import.
interface Rule {
  files: RegExp
  forbidden: (target: string, file: string) => boolean
  because: string
}

const server = 'apps/reference-server/src'
const playground = 'apps/playground/'
const findPackage = (file: string): string => file.split('/').slice(0, 2).join('/')

// The rooms of the reference server, lowest floor first. Files of the root are above all of them.
const rooms = ['messages', 'database', 'security', 'engine', 'domain', 'formats', 'config', 'http', 'process']

function findFloor(file: string): number {
  const room = rooms.findIndex((name) => new RegExp(`^${server}/${name}(/|[-.])`).test(file))
  return room === -1 ? rooms.length : room
}

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
      (target.startsWith('packages/') && ![findPackage(file), 'packages/internal'].includes(findPackage(target))),
    because: 'packages do not import each other',
  },
  {
    files: /^packages\/[^/]+\/src\//,
    forbidden: (target) => target.startsWith('apps/'),
    because: 'packages know no app',
  },
  {
    files: /^apps\/[^/]+\/src\//,
    forbidden: (target) => target.startsWith('packages/'),
    because: 'apps import packages by name, as their users do',
  },
  {
    files: new RegExp(`^${server}/(?!app\\.ts)`),
    forbidden: (target) => target === 'express',
    because: 'only app.ts imports express',
  },
  {
    files: new RegExp(`^${server}/`),
    forbidden: (target, file) => target.startsWith(`${server}/`) && findFloor(target) > findFloor(file),
    because: 'imports lead down: to a room on the same floor or below',
  },
  {
    files: new RegExp(`^${server}/domain/`),
    forbidden: (target) =>
      target.startsWith(`${server}/`) &&
      !target.startsWith(`${server}/domain/`) &&
      target !== `${server}/engine/index.ts`,
    because: 'the domain knows the engine by its index.ts, and nothing else of the server',
  },
  {
    files: new RegExp(`^${server}/domain/`),
    forbidden: (target) => /^(node:http|@svc\/(negotiate|ratelimit|versioning|idempotency)$)/.test(target),
    because: 'the domain knows nothing of HTTP',
  },
  {
    files: new RegExp(`^${server}/(?!main\\.ts)`),
    forbidden: (target) => target.startsWith(playground),
    because: 'only main.ts puts the server and the playground together',
  },
  {
    files: /^apps\/playground\/src\//,
    forbidden: (target) =>
      (target.startsWith('apps/') && !target.startsWith(playground) && target !== `${server}/index.ts`) ||
      target.startsWith('packages/'),
    because: 'the playground knows the server by its index.ts, and the packages by their names',
  },
]

const problems: string[] = []
for (const file of trackedFiles(/^(packages|apps)\/.*\.ts$/)) {
  if (/\.(test|bench|d)\.ts$|\/testing\//.test(file)) continue
  const applicable = rules.filter((rule) => rule.files.test(file))
  if (applicable.length === 0) continue
  for (const specifier of listImports(readFileSync(join(root, file), 'utf8'))) {
    const target = specifier.startsWith('.') ? resolveFrom(file, specifier) : specifier
    for (const { forbidden, because } of applicable) {
      const isSelf = target.startsWith('@svc/') && file.startsWith(`packages/${target.split('/')[1]}/`)
      if (!isSelf && forbidden(target, file)) problems.push(`${file} imports ${specifier}: ${because}`)
    }
  }
}
report('boundaries', problems)
