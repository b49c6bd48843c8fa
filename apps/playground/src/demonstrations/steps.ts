import type { Expected, Step } from '../experiment.ts'

export type Demonstrations = Readonly<Record<string, readonly Step[]>>

/**
 * A step in short: `sends` and `text` are headers and body of the request, `headers` and `body`
 * those of the response.
 */
export type StepShorthand = Partial<Omit<Step, 'expect' | 'headers' | 'body' | 'path'>> &
  Partial<Expected> & { sends?: Step['headers']; text?: string }

/** A request of a user and its response, by default 200. */
export function step(path: string, { status = 200, headers, body, sends, text, ...rest }: StepShorthand = {}): Step {
  return {
    path,
    as: 'ada',
    ...rest,
    ...(sends && { headers: sends }),
    ...(text !== undefined && { body: text }),
    expect: { status, ...(headers && { headers }), ...(body !== undefined && { body }) },
  }
}

/** The same without credentials. */
export function publicly(path: string, more: StepShorthand = {}): Step {
  const { as: _, ...made } = step(path, more)
  return made
}

/** Creates an employee. Later steps know the id. */
export function hire(name = 'Grace {run}'): Step {
  return step('/employees', {
    method: 'POST',
    json: { name, department: 'Engineering', salary: 5000 },
    status: 201,
    keep: { id: 'json /id' },
  })
}

/** Deletes the employee again. */
export function dismiss(): Step {
  return step('/employees/{id}', { method: 'DELETE', status: 204 })
}
