import { written } from './figure.ts'
import { MAX_OTHERS, type Surroundings } from './machine.ts'
import type { Goal, Table } from './table.ts'
import { judge, measureDistance, type Verdict } from './verdict.ts'

export interface Suite {
  file: string
  suite: string
  date: string
  /** Version of Node.js. */
  node: string
  runs: number
  surroundings: Surroundings
  tables: Table[]
}

export interface Results {
  machine: string
  peers: string
  suites: Suite[]
}

const PREFACE = `# Results

CPU is the CPU time of the process an operation: the median over interleaved rounds, the 10th and the 90th percentile,
and the median of the ratios within each round. Of several runs the medians are kept, and the widest spread. Absolute
figures hold for this machine only; the ratios are what to compare. Columns with † count time, in which the other processes
have their share: where others took more than ${MAX_OTHERS * 100} % of the processors they cannot be compared, and no goal is judged by
them. A goal is met where it is met in every run. How to repeat a figure: [README](../README.md).`

/** The tables as Markdown, what was wanted and what was reached first. Losing rows stay in. */
export function markdown({ machine, peers, suites }: Results): string {
  return [
    PREFACE,
    '',
    machine,
    '',
    `Peers: ${peers}`,
    '',
    '## Goals',
    '',
    ...summary(suites),
    ...suites.flatMap(section),
    '',
  ].join('\n')
}

function section({ suite, date, node, runs, surroundings, tables }: Suite): string[] {
  const { load, others } = surroundings
  const shares = others.map((share) => `${Math.round(share * 100)} %`)
  const loads = load.map((value) => value.toFixed(1))
  const about = `${date}, Node.js ${node.slice(1)}, ${runs} ${runs === 1 ? 'run' : 'runs'}, load ${loads.join(', ')}, others took ${shares.join(', ')} of the processors`
  return ['', `## ${suite}`, '', about, ...tables.flatMap(tableLines)]
}

/** One table, without its goals. */
export function tableLines({ table, note, columns, rows }: Table): string[] {
  const heads = columns.map(({ name, wall }) => (wall ? `${name} †` : name))
  return [
    '',
    `### ${table}`,
    '',
    ...(note ? [note, ''] : []),
    `| | ${heads.join(' | ')} |`,
    `|---|${'--:|'.repeat(columns.length)}`,
    ...rows.map(({ name, figures }) => {
      const cells = columns.map(({ unit }, index) => written(figures[index], unit))
      return `| ${name} | ${cells.join(' | ')} |`
    }),
  ]
}

function summary(suites: readonly Suite[]): string[] {
  const lines = suites.flatMap((suite) => {
    const isDisturbed = disturbed(suite)
    return suite.tables.flatMap(({ table, goals }) =>
      goals.map((goal) => ({ goal, line: goalLine(suite.suite, table, goal, isDisturbed) })),
    )
  })
  const sorted = lines.toSorted((a, b) => a.goal.id.localeCompare(b.goal.id, 'en', { numeric: true }))
  const count = (verdict: string): number => sorted.filter(({ line }) => line.includes(`| ${verdict}`)).length
  return [
    `${count('met')} met, ${count('**missed**')} missed, ${count('not judged')} not judged, ${count('struck')} struck.`,
    '',
    '| | what | wanted | reached | | why |',
    '|---|---|--:|--:|---|---|',
    ...sorted.map(({ line }) => line),
  ]
}

/** A goal as a row of the summary. */
export function goalLine(suite: string, table: string, goal: Goal, isDisturbed: boolean): string {
  const { id, what, most, least, unit, reached } = goal
  const wanted = most === undefined ? `≥ ${written(least, unit)}` : `≤ ${written(most, unit)}`
  const verdict = judge(goal, isDisturbed)
  const figures = reached.map((figure) => written(figure, unit).replace(' ×', ''))
  const place = `${suite}, ${table}: ${what}`
  return `| ${id} | ${place} | ${wanted} | ${figures.join(', ')} | ${judged(goal, verdict)} | ${explain(goal, verdict)} |`
}

function explain({ reason = 'not looked into yet', struck = '' }: Goal, verdict: Verdict): string {
  return verdict === 'missed' ? reason : struck
}

function judged(goal: Goal, verdict: Verdict): string {
  if (verdict !== 'missed') return verdict
  const worst = Math.max(...goal.reached.map((figure) => measureDistance(goal, figure)))
  return `**missed** by ${worst < 0.1 ? (worst * 100).toFixed(1) : Math.round(worst * 100)} %`
}

/** Whether others had so much of the machine that time says nothing. */
export function disturbed({ surroundings }: Pick<Suite, 'surroundings'>): boolean {
  return surroundings.others.some((share) => share > MAX_OTHERS)
}
