import { createRequire } from 'node:module'
import { join } from 'node:path'
import ts from 'typescript'
import { report, root } from './files.ts'

// Entries that have the name of a peer take each import of that peer, with types, from the built
// files.
const REQUIRES = `
import rateLimit = require('@svc/ratelimit/express-rate-limit')
import compression = require('@svc/negotiate/compression')
import accepts = require('@svc/negotiate/accepts')
import fresh = require('@svc/negotiate/fresh')
import Negotiator = require('@svc/negotiate/negotiator')
const options: rateLimit.ExpressRateLimitOptions<{ id: string }> = { keyGenerator: (req) => req.id }
const store: rateLimit.MemoryStore = new rateLimit.MemoryStore()
const negotiator: Negotiator = Negotiator({ headers: {} })
rateLimit(); rateLimit.rateLimit({ limit: 1 }); rateLimit.default(); compression(); compression.filter
// @ts-expect-error: the options have a type.
rateLimit({ limit: 'many' })
// @ts-expect-error: the options have a type.
compression({ threshold: true })
export { accepts, fresh, negotiator, options, store }
`
const IMPORTS = `
import rateLimit, { MemoryStore, rateLimit as named, type PerRequest } from '@svc/ratelimit/express-rate-limit'
import compression, { type CompressionOptions, filter } from '@svc/negotiate/compression'
import accepts, { type Accepts } from '@svc/negotiate/accepts'
import fresh from '@svc/negotiate/fresh'
import Negotiator from '@svc/negotiate/negotiator'
const limit: PerRequest<number, object, object> = () => 1
const both: typeof rateLimit = named
const settings: CompressionOptions = { threshold: '1kb', filter }
const types: Accepts = accepts({ headers: {} })
const negotiator: Negotiator = new Negotiator({ headers: {} })
rateLimit(); compression(settings)
// @ts-expect-error: the options have a type.
named({ limit: 'many' })
export { both, fresh, limit, MemoryStore, negotiator, types }
`
const PROGRAMS = new Map(
  Object.entries({ 'required.cts': REQUIRES, 'imported.mts': IMPORTS, 'imported.cts': IMPORTS }).map(
    ([name, text]) => [join(root, 'apps/tools', name), text] as const,
  ),
)
const require = createRequire(import.meta.url)
const NAMED: Readonly<Record<string, string>> = {
  '@svc/ratelimit/express-rate-limit': 'rateLimit',
  '@svc/negotiate/compression': 'compression',
  '@svc/negotiate/accepts': 'accepts',
  '@svc/negotiate/fresh': 'fresh',
  '@svc/negotiate/negotiator': 'Negotiator',
}

report('drop-ins', [...findTypeErrors(), ...(await findValueErrors())])

function findTypeErrors(): string[] {
  const options = {
    module: ts.ModuleKind.NodeNext,
    strict: true,
    noEmit: true,
    types: ['node'],
    lib: ['lib.es2023.d.ts'],
  }
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (file) => PROGRAMS.has(file) || fileExists(file)
  host.readFile = (file) => PROGRAMS.get(file) ?? readFile(file)
  host.getSourceFile = (file, version) => {
    const text = PROGRAMS.get(file)
    return text === undefined ? getSourceFile(file, version) : ts.createSourceFile(file, text, version)
  }
  return ts
    .getPreEmitDiagnostics(ts.createProgram([...PROGRAMS.keys()], options, host))
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
}

async function findValueErrors(): Promise<string[]> {
  const problems: string[] = []
  for (const [specifier, name] of Object.entries(NAMED)) {
    const required = require(specifier)
    const imported = await import(specifier)
    if (typeof required !== 'function') problems.push(`require('${specifier}') is not a function`)
    else if (required[name] !== required || required.default !== required)
      problems.push(`require('${specifier}') is not its own ${name} and default`)
    if (typeof imported.default !== 'function' || typeof imported[name] !== 'function')
      problems.push(`import('${specifier}') has no default export or no ${name}`)
  }
  return problems
}
