import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Answer } from '../../../packages/internal/testing/check.ts'
import { type Service, send, toLiteral } from '../../reference-server/test/service.ts'
import type { Experiment, Step } from '../src/experiment.ts'

type Values = Record<string, string>

/** Runs the steps of an experiment against a service, as the page does in a browser. */
export async function runExperiment({ id, steps }: Experiment, { url }: Pick<Service, 'url'>): Promise<void> {
  const values: Values = { run: String(Math.floor(Math.random() * 9e8) + 1e8) }
  for (const [at, step] of steps.entries()) {
    if (step.waitSeconds) await sleep(1000 * step.waitSeconds)
    const label = `step ${at + 1} of ${id}: ${step.method ?? 'GET'} ${step.path}`
    const answers = await Promise.all(Array.from({ length: step.times ?? 1 }, () => sendStep(step, values, url)))
    for (const answer of answers) checkAnswer(step, answer, values, label)
    const { status } = step.expect
    if (typeof status === 'object' && !Array.isArray(status))
      for (const [code, count] of Object.entries(status))
        expect(answers.filter((answer) => String(answer.status) === code).length, `${code} of ${label}`).toBe(count)
    keep(step, answers.find((answer) => answer.status < 300) ?? answers[0], values)
  }
}

function sendStep({ method = 'GET', path, as, headers = {}, json, body }: Step, values: Values, url: string) {
  const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value, values)]))
  const text = body ?? (json === undefined ? undefined : JSON.stringify(json))
  const type = json === undefined ? {} : { 'Content-Type': 'application/json' }
  const call = { method, path: fill(path, values), headers: { ...type, ...filled }, ...(as !== undefined && { as }) }
  const literal = toLiteral(text === undefined ? call : { ...call, body: fill(text, values) })
  return send(url, literal).catch((): Answer => ({ status: 0, headers: {}, body: Buffer.alloc(0), text: '' }))
}

function checkAnswer({ expect: expected }: Step, answer: Answer, values: Values, label: string): void {
  const { status, headers = {}, body } = expected
  const allowed =
    typeof status === 'number' ? [status] : Array.isArray(status) ? status : Object.keys(status).map(Number)
  expect(allowed, `${label}: ${answer.text.slice(0, 400)}`).toContain(answer.status)
  for (const [name, pattern] of Object.entries(headers))
    if (pattern === null) expect(answer.headers[name], `${name} of ${label}`).toBeUndefined()
    else expect(answer.headers[name], `${name} of ${label}`).toMatch(toPattern(pattern, values))
  if (body === '') expect(answer.text, label).toBe('')
  else if (body !== undefined) expect(answer.text, label).toMatch(toPattern(body, values))
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

function toPattern(pattern: string, values: Values): RegExp {
  const filled = pattern.replace(/\{(\w+)\}/g, (whole, name: string) =>
    values[name] === undefined ? whole : values[name].replace(/[^\w]/g, '\\$&'),
  )
  return new RegExp(filled, 's')
}

function keep(step: Step, answer: Answer | undefined, values: Values): void {
  for (const [name, from] of Object.entries(step.keep ?? {})) {
    const [kind, where = ''] = from.split(' ')
    const member = (): unknown =>
      where
        .split('/')
        .slice(1)
        .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], JSON.parse(answer?.text ?? ''))
    values[name] = toPath(String(kind === 'header' ? answer?.headers[where] : member()))
  }
}

// With a public URL, links and Location are absolute.
function toPath(text: string): string {
  return /^https?:/.test(text) ? text.slice(new URL(text).origin.length) : text
}
