import type { Expected, Step } from '../experiment.ts'

export type Demonstrations = Readonly<Record<string, readonly Step[]>>

/** A step in short: `sends` and `text` are the request's fields and body, `headers` and `body` what the answer must have. */
export type Short = Partial<Omit<Step, 'expect' | 'headers' | 'body' | 'path'>> &
  Partial<Expected> & { sends?: Step['headers']; text?: string }

/** A request of a user, and what comes back: 200 unless it says otherwise. */
export function step(path: string, { status = 200, headers, body, sends, text, ...rest }: Short = {}): Step {
  return {
    ...{ path, as: 'ada', ...rest },
    ...(sends && { headers: sends }),
    ...(text !== undefined && { body: text }),
    expect: { status, ...(headers && { headers }), ...(body !== undefined && { body }) },
  }
}

/** The same by nobody: no credentials are sent. */
export function publicly(path: string, more: Short = {}): Step {
  const { as: _, ...made } = step(path, more)
  return made
}

/** Somebody new, whose id later steps know. */
export function hire(name = 'Grace {run}'): Step {
  return step('/employees', {
    ...{ method: 'POST', json: { name, department: 'Engineering', salary: 5000 }, status: 201 },
    keep: { id: 'json /id' },
  })
}

/** Lets somebody go again. */
export function dismiss(): Step {
  return step('/employees/{id}', { method: 'DELETE', status: 204 })
}
