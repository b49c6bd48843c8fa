import type { Reporter, TestModule } from 'vitest/node'

/** Longer than the limit of every test: Vitest has no limit of its own for what is not a test. */
const STALLED_MS = 12 * 60_000

/**
 * Ends a run that no longer reports anything, for example because a file blocks its process, or
 * because a program started by a test still runs and holds its output open.
 */
export class StalledReporter implements Reporter {
  readonly #running = new Set<string>()
  readonly #timer: NodeJS.Timeout

  constructor(limitMs = STALLED_MS) {
    this.#timer = setTimeout(() => {
      console.error(describeStalled([...this.#running], limitMs))
      process.exit(1)
    }, limitMs).unref()
  }

  onTestModuleQueued(module: TestModule): void {
    this.#running.add(module.relativeModuleId)
    this.#timer.refresh()
  }

  onTestCaseResult(): void {
    this.#timer.refresh()
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(module.relativeModuleId)
    this.#timer.refresh()
  }
}

function describeStalled(files: readonly string[], limitMs: number): string {
  const where = files.join(', ') || 'all files have ended, but a program that they started has not'
  return `!! nothing was reported for ${limitMs / 1000} s: ${where}`
}
