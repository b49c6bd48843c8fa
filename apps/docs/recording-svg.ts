/** One command and what it printed. */
export interface Scene {
  command: string
  lines: readonly string[]
}

/** Width of the terminal. */
export const COLUMNS = 92
const ROW = 19
const CHARACTER = 7.9
const PADDING = 20
const TOP = 52
const SECONDS_PER_CHARACTER = 0.018
const SECONDS_PER_LINE = 0.05
const SECONDS_TO_READ = 1.1

const STYLE = `
text{font:13px/1 ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre;fill:var(--ink)}
svg{--back:#f6f8fa;--edge:#d1d9e0;--ink:#1f2328;--dim:#59636e;--good:#116329;--bad:#a40e26;--name:#0550ae}
.dim{fill:var(--dim)}.good{fill:var(--good);font-weight:600}.bad{fill:var(--bad);font-weight:600}.name{fill:var(--name)}
.typed{animation:type var(--t) steps(var(--n)) var(--d) both}.shown{animation:show 1ms var(--d) both}
@keyframes type{from{clip-path:inset(0 100% 0 0)}to{clip-path:inset(0 0 0 0)}}
@keyframes show{from{opacity:0}to{opacity:1}}
@media(prefers-color-scheme:dark){svg{--back:#151b23;--edge:#3d444d;--ink:#e6edf3;--dim:#9198a1;--good:#56d364;--bad:#ff7b72;--name:#79c0ff}}
@media(prefers-reduced-motion:reduce){.typed,.shown{animation:none}}`

/**
 * Draws a terminal in which the commands are typed once. The first one is there from the beginning,
 * so that the terminal is never empty. Without motion, all of it is there.
 */
export function recordingSvg(title: string, scenes: readonly Scene[]): string {
  let row = 0
  let seconds = 0
  const texts: string[] = []
  for (const { command, lines } of scenes) {
    const isFirst = row === 0
    const duration = command.length * SECONDS_PER_CHARACTER
    const typed = `class="typed" style="--d:${fixed(seconds)}s;--t:${fixed(duration)}s;--n:${command.length + 2}"`
    texts.push(textAt(row++, `<tspan class="name">$ </tspan>${escape(command)}`, isFirst ? '' : typed))
    if (!isFirst) seconds += duration + 0.25
    for (const line of lines) {
      texts.push(textAt(row++, colored(line), isFirst ? '' : `class="shown" style="--d:${fixed(seconds)}s"`))
      if (!isFirst) seconds += SECONDS_PER_LINE
    }
    row += 0.6
    seconds += SECONDS_TO_READ
  }
  const width = Math.round(COLUMNS * CHARACTER + 2 * PADDING)
  const height = Math.round(TOP + (row - 0.6) * ROW + 8)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="t">
<title id="t">${escape(title)}</title>
<style>${STYLE}</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="9" fill="var(--back)" stroke="var(--edge)"/>
<g fill="var(--edge)"><circle cx="22" cy="20" r="5.500"/><circle cx="40" cy="20" r="5.500"/><circle cx="58" cy="20" r="5.500"/></g>
${texts.join('\n')}
</svg>
`
}

function textAt(row: number, content: string, motion: string): string {
  return `<text x="${PADDING}" y="${fixed(TOP + row * ROW)}"${motion && ` ${motion}`}>${content}</text>`
}

// Status lines, header names and omitted lines.
function colored(line: string): string {
  const text = escape(line.length > COLUMNS ? `${line.slice(0, COLUMNS - 1)}…` : line)
  if (/^HTTP\//.test(line)) return `<tspan class="${/ [23]\d\d /.test(line) ? 'good' : 'bad'}">${text}</tspan>`
  if (line === '…') return `<tspan class="dim">${text}</tspan>`
  return text.replace(/^([\w-]+:)(?= )/, '<tspan class="name">$1</tspan>')
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

function fixed(value: number): string {
  return String(Number(value.toFixed(2)))
}
