import type { MarkdownRenderer } from 'vitepress'

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/**
 * Markdown has no headers of rows. A table with an empty first header names its rows in the first
 * column, so these cells become `th scope="row"`: screen readers announce them. A table without any
 * header loses the empty row.
 */
export function addRowHeaders(renderer: MarkdownRenderer): void {
  renderer.core.ruler.push('row-headers', ({ tokens }) => {
    let start = -1
    const empty: [start: number, end: number][] = []
    tokens.forEach(({ type }, index) => {
      if (type === 'table_open') start = index
      if (type === 'table_close' && hasEmptyCorner(tokens.slice(start, index)))
        empty.push(...nameRows(tokens, start, index))
    })
    for (const [first, last] of empty.reverse()) tokens.splice(first, last - first + 1)
  })
}

function hasEmptyCorner(table: readonly Token[]): boolean {
  const corner = table.findIndex(({ type }) => type === 'th_open')
  return table[corner + 1]?.content === ''
}

/** Returns the range of the head if it is to be removed. */
function nameRows(tokens: Token[], start: number, end: number): [start: number, end: number][] {
  const headEnd = tokens.findIndex(({ type }, index) => index > start && type === 'thead_close')
  const isHeadEmpty = tokens.slice(start, headEnd).every(({ type, content }) => type !== 'inline' || content === '')
  for (let index = start; index < end; index++)
    if (tokens[index]?.type === 'tr_open') switchFirstCell(tokens, index + 1)
  const head = tokens.findIndex(({ type }, index) => index > start && type === 'thead_open')
  return isHeadEmpty ? [[head, headEnd]] : []
}

// The corner becomes a plain cell, and the first cell of every other row a header.
function switchFirstCell(tokens: readonly Token[], index: number): void {
  const [open, , close] = tokens.slice(index, index + 3)
  if (!open || !close) return
  const tag = open.tag === 'th' ? 'td' : 'th'
  open.tag = tag
  close.tag = tag
  if (tag === 'th') open.attrSet('scope', 'row')
}

/**
 * Sets the number of lines of each code block as a property of its style. Browsers then know the
 * height of a block that they have not rendered, because it is not on the screen.
 */
export function addCodeHeights({ renderer }: MarkdownRenderer): void {
  const { fence } = renderer.rules
  if (!fence) throw new Error('the renderer has no rule for code blocks')
  renderer.rules.fence = (tokens, index, ...others) => {
    const lines = (tokens[index]?.content ?? '').trimEnd().split('\n').length
    return fence(tokens, index, ...others).replace(
      '<div class="language-',
      `<div style="--lines:${lines}" class="language-`,
    )
  }
}

/**
 * Shows the name of the file that a code block is, such as `src/app.ts` in its info, instead of the
 * language.
 */
export function addFileNames({ renderer }: MarkdownRenderer): void {
  const { fence } = renderer.rules
  if (!fence) throw new Error('the renderer has no rule for code blocks')
  renderer.rules.fence = (tokens, index, ...others) => {
    const [file] = /(?<= )[\w./-]+\.[a-z]+\b/.exec(tokens[index]?.info ?? '') ?? []
    const html = fence(tokens, index, ...others)
    return file ? html.replace(/(?<=<span class="lang">)[^<]*/, file) : html
  }
}
