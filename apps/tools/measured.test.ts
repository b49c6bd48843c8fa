import { describe, expect, test } from 'vitest'
import { written } from '../benchmarks/harness/figure.ts'
import { quoted, quotingDocument } from '../benchmarks/harness/quotes.ts'
import { foldRuns, type Goal, type Table } from '../benchmarks/harness/table.ts'
import { judge } from '../benchmarks/harness/verdict.ts'

const NAME = 'create, record and JSON of a 404'
const ROWS = { '@svc/errors': 750, 'http-errors': 16_500, '@hapi/boom': 10_240 }

function createTable(rows: Record<string, number>): Table {
  return {
    table: NAME,
    columns: [
      { name: 'CPU', unit: 'time' },
      { name: '10 %', unit: 'time', keep: 'least' },
      { name: '90 %', unit: 'time', keep: 'greatest' },
    ],
    rows: Object.entries(rows).map(([name, figure]) => ({ name, figures: [figure, figure, figure] })),
    goals: [createGoal([rows['@svc/errors'] ?? 0])],
  }
}

function createGoal(reached: number[], more: Partial<Goal> = {}): Goal {
  return { id: 'R1', what: 'CPU', most: 1000, unit: 'time', reached, ...more }
}

function createResults(rows: Record<string, number>): Parameters<typeof quoted>[2] {
  const surroundings = { load: [], others: [] }
  const suite = {
    file: 'errors.ts',
    suite: 'Errors',
    date: '2026-11-21',
    node: 'v24.21.0',
    runs: 3,
    surroundings,
    tables: [createTable(rows)],
  }
  return { machine: '', peers: '', suites: [suite] }
}

describe('what a README quotes', () => {
  const readme = 'before\n<!-- measured -->\nold\n<!-- /measured -->\nafter\n'

  test('stands between its marks, with date and version, and nothing else changes', () => {
    const text = quoted(readme, 'errors', createResults(ROWS))
    expect(text).toMatch(/^before\n<!-- measured -->\n\| \[Measured\]\(\S+\) 2026-11-21, CPU, Node 24 \| here \| \|\n/)
    expect(text).toContain('| 750 ns | http-errors 16.5 µs, @hapi/boom 10.2 µs |\n<!-- /measured -->\nafter\n')
    expect(quoted(text, 'errors', createResults(ROWS))).toBe(text)
    expect(quoted(text, 'errors', createResults({ ...ROWS, 'http-errors': 20_000 }))).not.toBe(text)
  })

  test('is refused where the results do not say it, or the README has no place for it', () => {
    expect(() => quoted(readme, 'errors', createResults({ '@svc/errors': 1 }))).toThrow('http-errors')
    const read = (file: string): string => (/a\.md$|^apps/.test(file) ? readme : '')
    expect(quotingDocument('errors', () => ['README.md', 'docs/a.md'], read)).toBe('packages/errors/docs/a.md')
    expect(quotingDocument('home', () => [], read)).toBe('apps/docs/index.md')
    expect(() => quotingDocument('errors', () => ['README.md'], read)).toThrow('<!-- measured -->')
  })
})

test('of three runs the medians are kept, the widest spread, and what each reached', () => {
  const [folded] = foldRuns([3, 1, 2].map((figure) => [createTable({ '@svc/errors': figure })]))
  expect(folded?.rows).toEqual([{ name: '@svc/errors', figures: [2, 1, 3] }])
  expect(folded?.goals[0]?.reached).toEqual([3, 1, 2])
})

test.each<[string, Goal, boolean]>([
  ['met', createGoal([900, 1000, 800]), true],
  ['missed', createGoal([900, 1001, 800]), false],
  ['missed', { id: 'S2', what: 'requests', least: 1, unit: 'times', reached: [0.9] }, false],
  ['met', { id: 'S2', what: 'requests', least: 1, unit: 'times', reached: [1.1] }, false],
  ['met', createGoal([1], { wall: true }), false],
  ['not judged', createGoal([1], { wall: true }), true],
  ['not judged', createGoal([]), false],
])('a goal is %s', (verdict, goal, isDisturbed) => {
  expect(judge(goal, isDisturbed)).toBe(verdict)
})

test.each([
  [0.4, 'time', '0.4 ns'],
  [845, 'time', '845 ns'],
  [18_060, 'time', '18.1 µs'],
  [1_250_000, 'time', '1.25 ms'],
  [2_000_000_000, 'time', '2000 ms'],
  [-46_500, 'time', '-46.5 µs'],
  [0.0042, 'times', '0.0042 ×'],
  [34.2, 'bytes', '34 B'],
  [200_000_000, 'bytes', '191 MiB'],
  [8205.4, 'per second', '8,205'],
  [null, 'time', '–'],
] as const)('%s as %s is written %s', (figure, unit, text) => {
  expect(written(figure, unit)).toBe(text)
})
