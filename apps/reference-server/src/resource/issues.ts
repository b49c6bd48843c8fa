import type { z } from 'zod'
import type { Problem } from '../failures.ts'

type Issue = z.core.$ZodIssue

/** What zod found wrong with the value at a pointer, in the words of our Error record. */
export function problemsOf(pointer: string, issues: readonly Issue[]): Problem[] {
  return issues.flatMap((issue) => {
    const at =
      pointer + issue.path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ pointer: `${at}/${key}`, code: 'UNKNOWN', detail: 'is not a known field' }))
    return [{ pointer: at, ...wordsOf(issue) }]
  })
}

function wordsOf(issue: Issue): Pick<Problem, 'code' | 'detail'> {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined && issue.path.length > 0) return { code: 'REQUIRED', detail: 'is required' }
      return { code: 'TYPE', detail: `must be ${articleOf(issue.expected)}` }
    case 'too_small':
      return { code: 'LENGTH', detail: `must have at least ${issue.minimum} ${unitOf(issue.origin)}` }
    case 'too_big':
      return { code: 'LENGTH', detail: `must have at most ${issue.maximum} ${unitOf(issue.origin)}` }
    case 'invalid_value':
      return { code: 'VALUE', detail: `must be one of ${issue.values.join(', ')}` }
    case 'custom':
      return { code: 'FORMAT', detail: issue.message }
    case 'invalid_union':
      return { code: 'TYPE', detail: 'must be an integer' }
    default:
      return { code: 'FORMAT', detail: 'has the wrong form' }
  }
}

function articleOf(type: string): string {
  if (type === 'int') return 'an integer'
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}

function unitOf(origin: string): string {
  return origin === 'string' ? 'characters' : 'entries'
}
