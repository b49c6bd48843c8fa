import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import type { Result } from './measure.ts'

/** Figures of another kind than CPU an operation. */
export interface Table {
  table: string
  note?: string
  head: string[]
  rows: string[][]
  goals: { id: string; wanted: string; reached: string; met: boolean }[]
}

export interface Suite {
  file: string
  suite: string
  date: string
  /** What else the machine did: the load of the last minute before and after. */
  load: number[]
  results: Result[]
  tables: Table[]
}

/** Where the figures were made, and of which versions. */
export function circumstances(): Record<string, string> {
  const lock = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  return {
    node: process.version,
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    peers: Object.entries(lock.devDependencies)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
  }
}

/** The tables as Markdown. Losing rows stay in. */
export function markdown(suites: readonly Suite[], facts: Record<string, string>): string {
  const head = Object.entries(facts)
    .filter(([name]) => name !== 'peers')
    .map(([name, value]) => `${name}: ${value}`)
  return [
    '# Results',
    '',
    'CPU time of the process an operation: median over interleaved rounds, 10th to 90th percentile, and the median of the',
    'ratios within each round. Absolute figures hold for this machine alone; the ratios are what to compare. Where the load',
    'exceeds the number of processors, requests a second and pauses tell of the neighbours too: only CPU can be compared.',
    '',
    head.join(' · '),
    '',
    `Peers: ${facts['peers']}`,
    ...suites.flatMap(sections),
    '',
  ].join('\n')
}

function sections({ suite, date, load, results, tables }: Suite): string[] {
  const loads = load.map((value) => value.toFixed(1)).join(' to ')
  return [
    '',
    `## ${suite}`,
    '',
    `${date}, load of the machine ${loads}`,
    ...results.flatMap(result),
    ...tables.flatMap(table),
  ]
}

function result({ bench, rows, goals }: Result): string[] {
  const lines = rows.map(
    (row) => `| ${row.name} | ${time(row.median)} | ${time(row.low)} to ${time(row.high)} | ${factor(row.ratio)} |`,
  )
  const judged = goals.map(
    (goal) =>
      `Goal ${goal.id}: at most ${factor(goal.ratio)} of ${goal.against}. Reached ${factor(goal.reached)}: ${goal.met ? 'met' : '**not met**'}.`,
  )
  return [
    '',
    `### ${bench}`,
    '',
    '| | CPU | 10 % to 90 % | ratio |',
    '|---|--:|--:|--:|',
    ...lines,
    ...(judged.length ? [''] : []),
    ...judged,
  ]
}

function table({ table, note, head, rows, goals }: Table): string[] {
  const judged = goals.map(
    ({ id, wanted, reached, met }) => `Goal ${id}: ${wanted}. Reached ${reached}: ${met ? 'met' : '**not met**'}.`,
  )
  return [
    '',
    `### ${table}`,
    '',
    ...(note ? [note, ''] : []),
    `| ${head.join(' | ')} |`,
    `|---${'|--:'.repeat(head.length - 1)}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    ...(judged.length ? [''] : []),
    // Each in a line of its own: two spaces at the end.
    ...judged.map((line) => `${line}  `),
  ]
}

export function time(ns: number): string {
  if (ns < 1000) return `${ns < 10 ? ns.toFixed(1) : Math.round(ns)} ns`
  return ns < 1e6 ? `${(ns / 1000).toPrecision(3)} µs` : `${(ns / 1e6).toPrecision(3)} ms`
}

export function factor(ratio: number): string {
  return `${ratio < 0.1 ? ratio.toPrecision(2) : ratio.toFixed(2)} ×`
}
