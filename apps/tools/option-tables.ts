/** An option as a README's table shows it. */
export interface TableRow {
  name: string
  /** The text of its cell under "Default", where the table has this column. */
  fallback: string | undefined
}

/** The tables of a README that list options: a row for each name in a first cell. */
export function optionTables(markdown: string): TableRow[][] {
  const tables = markdown.match(/(?:^\|.*\|$\n?)+/gm) ?? []
  return tables.map((table) => {
    const [head = [], , ...rows] = table.trim().split('\n').map(cellsOf)
    if (!/^(Option|Name|Member)/i.test(head[0] ?? '')) return []
    const column = head.findIndex((title) => /^Default/i.test(title))
    return rows.flatMap((cells) => {
      const names = namesIn(cells[0] ?? '')
      const fallbacks = column === -1 ? [] : fallbacksIn(cells[column] ?? '', names.length)
      return names.map((name, at) => ({ name, fallback: fallbacks[at] }))
    })
  })
}

/** Whether a table's text names the value that `@defaultValue` names; text that is no literal says nothing. */
export function sameDefault(shown: string, documented: string): boolean {
  const value = literalOf(documented)
  if (value === undefined) return true
  return literalsOf(shown).has(value) || (value === 'undefined' && /none|^$|–/.test(shown))
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([A-Za-z][\w.]*)`/g)].map(([, name = '']) => name)
}

// One cell may hold the defaults of several options, in their order: "`30000`, `'retry'`".
function fallbacksIn(cell: string, count: number): string[] {
  const parts = (cell.match(/(?:`[^`]*`|[^,`])+/g) ?? []).map((part) => part.trim())
  return parts.length === count ? parts : Array.from({ length: count }, () => cell)
}

function literalOf(text: string): string | undefined {
  const start = /^`?('[^']*'|"[^"]*"|-?[\d_,.]+(?![\w.])|true|false|\[[^\]]*\])`?/.exec(text.trim())?.[1]
  return start === undefined ? undefined : plain(start)
}

function literalsOf(text: string): Set<string> {
  const found = text.match(/'[^']*'|"[^"]*"|-?\d[\d_,.]*|true|false|\[[^\]]*\]/g) ?? []
  const coded = [...text.matchAll(/`([^`'"]+)`/g)].map(([, code]) => `'${code}'`)
  return new Set([...found, ...coded].map(plain))
}

function plain(literal: string): string {
  if (/^-?\d/.test(literal)) return literal.replace(/[_,]|\.$/g, '')
  return literal.replace(/["']/g, "'").replace(/\s/g, '')
}
