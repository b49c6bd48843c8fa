import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Prints every skipped test in one line with its reason, and writes the same lines to a file. */
export class SkippedReporter implements Reporter {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.flatMap((module) => [...module.children.allTests('skipped')].map(describeSkipped))
    mkdirSync(dirname(this.#file), { recursive: true })
    writeFileSync(this.#file, lines.map((line) => `${line}\n`).join(''))
    for (const line of lines) process.stdout.write(`${line}\n`)
  }
}

function describeSkipped(test: TestCase): string {
  const result = test.result()
  const note = result.state === 'skipped' ? result.note : undefined
  return formatSkipped(test.module.relativeModuleId, test.fullName, note)
}

const NEEDS = /\((needs [^()]+)\)/g

/**
 * The line of a skipped test. Its reason is the note of `skip(note)`, else the innermost
 * `(needs …)` in its title.
 */
export function formatSkipped(file: string, title: string, note: string | undefined): string {
  return `skipped: ${file} > ${title}: ${note ?? [...title.matchAll(NEEDS)].at(-1)?.[1] ?? 'no reason given'}`
}

/** Whether a line is about a test that was skipped for lack of a server, a browser, or a reason. */
export function needsMissing(line: string): boolean {
  const reason = line.slice(line.lastIndexOf(': ') + 2)
  return /redis|postgres|chromium|browser|no reason given/i.test(reason) && line.startsWith('skipped: ')
}
