import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { report, root, trackedFiles } from './files.ts'
import { ratchet } from './ratchet.ts'

// Layout that the formatter does not touch: comments are at most 100 columns wide, and an object or
// array literal is not spread to keep its items on one line. Like words.ts: counts only go down,
// `layout.ts --write` stores lower counts, any other argument lists all places.
const MAX_WIDTH = 100
// A link or a header in an example cannot be wrapped.
const UNBREAKABLE = /^\s*(?:\/\/|\/?\*+)\s*\S+(?:\s*\*\/)?$|https?:\/\/\S{40}/

const WIDE = 'a comment wider than 100 columns'
const SPREAD = 'a literal that is spread'
const counts: Record<string, number> = {}
const places: string[] = []
for (const file of trackedFiles(/^(packages|apps)\b.*\.ts$/)) {
  const text = readFileSync(join(root, file), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lines = text.split('\n')
  for (const line of listCommentLines(source)) {
    const comment = lines[line] ?? ''
    if (comment.length > MAX_WIDTH && !UNBREAKABLE.test(comment)) add(WIDE, file, line)
  }
  for (const node of listSpreads(source)) add(SPREAD, file, source.getLineAndCharacterOfPosition(node.getStart()).line)
}
if (process.argv[2] && process.argv[2] !== '--write') console.log(places.join('\n'))
report('layout', ratchet('layout', counts))

/**
 * Lists the lines that are nothing but a comment; one after code on the same line is as wide as
 * code may be.
 */
function listCommentLines(source: ts.SourceFile): Set<number> {
  const lines = new Set<number>()
  const addLines = (range: ts.CommentRange): void => {
    const start = source.getLineAndCharacterOfPosition(range.pos)
    const end = source.getLineAndCharacterOfPosition(range.end).line
    const before = source.text.slice(range.pos - start.character, range.pos)
    for (let { line } = start; line <= end; line++) if (line > start.line || before.trim() === '') lines.add(line)
  }
  const visit = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []) addLines(range)
    for (const child of node.getChildren(source)) visit(child)
  }
  visit(source)
  return lines
}

function listSpreads(source: ts.SourceFile): ts.Node[] {
  const spreads: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    const isSpread = ts.isSpreadAssignment(node) || ts.isSpreadElement(node)
    if (isSpread && (ts.isObjectLiteralExpression(node.expression) || ts.isArrayLiteralExpression(node.expression)))
      spreads.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return spreads
}

function add(entry: string, file: string, line: number): void {
  counts[entry] = (counts[entry] ?? 0) + 1
  places.push(`${entry}: ${file}:${line + 1}`)
}
