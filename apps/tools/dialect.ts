import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { publishedWorkspaces, report, root, trackedFiles } from './files.ts'
import { publicApi } from './public-api.ts'
import { ratchet } from './ratchet.ts'

// One concept has one name and one unit in all packages. Entries with the name of another package
// keep its words.
const DROP_INS = /\/(express-rate-limit|drop-in-options|accepts|negotiator|compression|fresh)(\.ts)?$/

// Words of other dialects, each before the word of the packages; a few options mean something else
// by them.
const OTHER_WORDS = new Map(
  `fields headers, principal user, subject user, scope user, key by, help docsUrl, link docsUrl, base basePath,
  baseUrl publicUrl, mountPath basePath, requestId correlationId, hosts allowedHosts, allow allowList, deny denyList,
  maxEntries maxKeys, clock now, ext extensions, onStoreDown onStoreError, ipv6Prefix ipv6Subnet, coding encoding,
  codings encodings, keep shouldStore, require required, syntax strict, secure isSecure, compressible shouldCompress`
    .split(',')
    .map((pair) => pair.trim().split(' ') as [string, string]),
)
const OTHER_MEANINGS = /^(RenderContext|ParseLinkHeaderOptions)\.base$|^FormOptions\.link$|^RunOnceOptions\.scope$/
const DURATION = /(timeout|ttl|lease|wait|jitter|window|skew|tolerance|delay|(^a|A)ge)$/
const SIZE = /([bB]ody|[rR]esponse|[mM]essage)(Size|Length|Limit)?$/

const counts: Record<string, number> = {}
const all: string[] = []
for (const workspace of publishedWorkspaces().filter(({ folder }) => folder.startsWith('packages/'))) {
  const { checker, entries } = publicApi(workspace, '@svc/source')
  const problems = checkErrors(workspace.folder)
  for (const { specifier, symbols } of entries.filter((entry) => !DROP_INS.test(entry.specifier)))
    for (const [name, symbol] of symbols)
      problems.push(...checkExport(name, symbol, checker).map((problem) => `${specifier}: ${problem}`))
  counts[workspace.folder] = problems.length
  all.push(...problems)
}
const problems = ratchet('dialect', counts)
if (problems.length > 0 || all.length > 0) console.log(all.map((problem) => `dialect: ${problem}`).join('\n'))
report('dialect', problems)

function checkExport(name: string, symbol: ts.Symbol, checker: ts.TypeChecker): string[] {
  if (/^[a-z]\w*(?<!Nonce)Store$/.test(name)) return checkStore(name, symbol, checker)
  if (!/(Options|Context|Init|Settings|Definition|Lifecycle)$/.test(name)) return []
  const options = checker.getDeclaredTypeOfSymbol(symbol).getProperties()
  const declared = options.filter((option) => !option.declarations?.[0]?.getSourceFile().isDeclarationFile)
  return declared.flatMap((option) => {
    const where = `${name}.${option.name}`
    const word = OTHER_MEANINGS.test(where) ? undefined : OTHER_WORDS.get(option.name)
    if (word) return `${where} is called ${word} in other packages`
    if (!isNumber(checker.getTypeOfSymbol(option))) return []
    if (DURATION.test(option.name)) return `${where} needs a unit, Ms or Seconds`
    return SIZE.test(option.name) ? `${where} needs the unit Bytes` : []
  })
}

function isNumber(type: ts.Type): boolean {
  return (type.isUnion() ? type.types : [type]).some(({ flags }) => (flags & ts.TypeFlags.NumberLike) !== 0)
}

/** A test must be able to set the time of a store. A nonce store gets the time from its caller. */
function checkStore(name: string, symbol: ts.Symbol, checker: ts.TypeChecker): string[] {
  const parameters = checker.getTypeOfSymbol(symbol).getCallSignatures()[0]?.parameters ?? []
  const types = parameters.map((parameter) => checker.getNonNullableType(checker.getTypeOfSymbol(parameter)))
  return types.some((type) => type.getProperty('now')) ? [] : [`${name} has no option now`]
}

/**
 * The message of an option that is not valid begins with the package; one that begins with a value
 * is left to tests.
 */
function checkErrors(folder: string): string[] {
  const prefix = `${folder.replace('packages/', '')}: `
  const files = trackedFiles(new RegExp(`^${folder}/src/.*(?<!\\.test)\\.ts$`)).filter((file) => !DROP_INS.test(file))
  return files.flatMap((file) => {
    const messages = readFileSync(join(root, file), 'utf8').matchAll(
      /new TypeError\(\s*[`']((?!\$\{)[^`]*? must [^`']*)/g,
    )
    return [...messages].flatMap(([, text = '']) => (text.startsWith(prefix) ? [] : `${file}: "${text.slice(0, 60)}"`))
  })
}
