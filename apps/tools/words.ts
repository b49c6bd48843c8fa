import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { report, root, trackedFiles } from './files.ts'
import { ratchet } from './ratchet.ts'

// Words and names that a reader of English source code does not expect. Each has a count in
// counts.json that may only go down; `words.ts --write` stores lower counts, `words.ts <entry>`
// lists the places of one entry, such as "beside".
const words = [
  ...list('beside alone whoever somebody nobody stands told answer refusal coding catalogue neighbour cancelled'),
  ...list('behaviour colour licence centre recognise normalise authorise organise materialise'),
  ...list('at work,in truth,for good,in place of,left out,for people', ','),
]
const PATTERNS = [
  ...words.map((word) => [word, new RegExp(`\\b${word}(?:s|d|ed|ing)?\\b`, 'gi')] as const),
  ['header field', /\bheader fields?\b(?! Too Large)/gi] as const, // the reason phrase of 431
  ['is no, are no', /(?<!\bthere )\b(?:is|are) no\b(?! longer\b)/gi] as const,
]
const NAMES = new Set(list('at found own known given kept one'))
// Four facts of a request, and the name of a check that ends in the words "one of".
const OF_NAMES = new Set(list('versionOf rateLimitOf idempotencyOf requestStateOf assertOneOf'))
const OPENING = /^\/\*\*[\s*]*(?:What|How|Where|Who|Whose|Which|When)\b/
// Tests quote what others wrote, and demo users have names. Generated pages, translations and what
// is released have their own rules; of the catalogs of messages, the English one is read.
const SKIPPED =
  /\.test\.ts$|\.d\.ts$|CHANGELOG|\/vectors\/|docs\/(api|specification)|\/languages\/|\/texts\/(de|fr|es)|\/results\/|demo-users|tools\/(words|dialect)\.ts$/

const counts: Record<string, number> = {}
const places: string[] = []
for (const file of trackedFiles(/^(packages|apps|README|\.changeset)\b.*(\.ts|\.md|\/en\.json)$/)) {
  if (SKIPPED.test(file)) continue
  const text = readFileSync(join(root, file), 'utf8')
  if (file.endsWith('.md')) countWords(file, text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, ''))
  else if (file.endsWith('.json')) countWords(file, text)
  else countSource(file, text)
}
console.log(`words: ${Object.values(counts).reduce((sum, count) => sum + count, 0)} left`)
if (process.argv[2] && process.argv[2] !== '--write') console.log(places.join('\n'))
report('words', ratchet('words', counts))

function countSource(file: string, text: string): void {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const comments = new Map<number, string>()
  const visit = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [])
      comments.set(range.pos, text.slice(range.pos, range.end))
    if (ts.isStringLiteralLike(node) && !ts.isImportDeclaration(node.parent)) countWords(file, node.text)
    if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) countWords(file, node.text)
    if (ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node) || ts.isParameter(node)) countName(file, node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  for (const comment of comments.values()) {
    countWords(file, comment)
    if (OPENING.test(comment)) add('a doc comment that opens with a question word', file, comment)
  }
}

function countName(
  file: string,
  { name }: ts.FunctionDeclaration | ts.VariableDeclaration | ts.ParameterDeclaration,
): void {
  if (!name || !ts.isIdentifier(name)) return
  const { text } = name
  if (NAMES.has(text)) add(`a variable named ${text}`, file, text)
  if (/^[a-z]\w*Of$/.test(text) && !OF_NAMES.has(text)) add('a name that ends in Of', file, text)
  if (/^(MOST|LONGEST)_/.test(text)) add('a limit named MOST or LONGEST', file, text)
}

function countWords(file: string, text: string): void {
  // Capitals are values on the wire: CANCELLED.
  for (const [word, pattern] of PATTERNS)
    for (const [match] of text.matchAll(pattern)) if (match !== match.toUpperCase()) add(word, file, text)
}

function add(entry: string, file: string, text: string): void {
  counts[entry] = (counts[entry] ?? 0) + 1
  if (entry === process.argv[2]) places.push(`${file}: ${text.replace(/\s+/g, ' ').slice(0, 120)}`)
}

function list(text: string, separator = ' '): string[] {
  return text.split(separator)
}
