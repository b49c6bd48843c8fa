import jsonPatch, { type Operation } from 'fast-json-patch'
import { failure, invalid } from '../failures.ts'
import { quoteInput } from '../languages/messages.ts'
import { mergePatch } from './merge-patch.ts'
import { mustBeObject } from './validate.ts'

/** Media types of a PATCH; plain JSON is a merge patch. */
export const PATCH_TYPES = ['application/merge-patch+json', 'application/json-patch+json', 'application/json'] as const

const MAX_OPERATIONS = 100

/** Applies a patch to what a client sees, all of it or nothing. */
export function applyPatch(type: string, current: Readonly<Record<string, unknown>>, patch: unknown): unknown {
  if (type === 'application/json-patch+json') return applyJsonPatch(current, patch)
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch))
    throw invalid(400, 'VALIDATION_FAILED', [mustBeObject('')])
  return mergePatch(current, patch)
}

/** Returns whether a patch that was applied names the value at a pointer, or something that it is part of. */
export function touchedBy(type: string, patch: unknown): (pointer: string) => boolean {
  if (type !== 'application/json-patch+json') return (pointer) => isMerged(patch, pointer.split('/').slice(1))
  const paths = (patch as { op: string; path: string; from?: string }[]).flatMap(({ op, path, from }) =>
    op === 'test' ? [] : [path, ...(op === 'move' && from !== undefined ? [from] : [])],
  )
  return (pointer) => paths.some((path) => pointer === path || pointer.startsWith(`${path}/`))
}

function isMerged(patch: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined || typeof patch !== 'object' || patch === null) return true
  return Object.hasOwn(patch, name) && isMerged((patch as Record<string, unknown>)[name], rest)
}

// fast-json-patch changes what it is given, also when it fails: it gets a clone.
function applyJsonPatch(current: Readonly<Record<string, unknown>>, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw failure('MALFORMED_BODY.patchArray')
  if (patch.length > MAX_OPERATIONS) throw failure('MALFORMED_BODY.patchLength', { count: MAX_OPERATIONS })
  patch.forEach(checkOperation)
  const operations = patch as Operation[]
  try {
    return jsonPatch.applyPatch(structuredClone(current), operations, true, true, true).newDocument
  } catch (error) {
    // A path to a prototype, which it throws a TypeError about.
    if (!(error instanceof jsonPatch.JsonPatchError)) throw failure('MALFORMED_BODY', undefined, { cause: error })
    const { name, index = 0 } = error
    const { op = '', path = '', from = '' } = { ...operations[index] } as { op?: string; path?: string; from?: string }
    const isFrom = name === 'OPERATION_FROM_UNRESOLVABLE'
    const params = { index, op, path: quoteInput(isFrom ? from : path) }
    throw failure(name === 'TEST_OPERATION_FAILED' ? 'PATCH_CONFLICT.test' : 'PATCH_CONFLICT.path', params)
  }
}

/** What each operation must have beside `op` and `path` (RFC 6902 §4). */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  add: ['value'],
  remove: [],
  replace: ['value'],
  move: ['from'],
  copy: ['from'],
  test: ['value'],
}
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/

function checkOperation(operation: unknown, index: number): void {
  const { op, ...members } = Object(operation) as Record<string, unknown>
  if (typeof op !== 'string' || !Object.hasOwn(MEMBERS, op))
    throw failure('MALFORMED_BODY.operation', { index, allowed: Object.keys(MEMBERS) })
  for (const name of ['path', ...(MEMBERS[op] ?? [])]) {
    if (members[name] === undefined) throw failure('MALFORMED_BODY.operationMember', { index, op, name })
    const isPointer = typeof members[name] === 'string' && POINTER.test(members[name])
    if (name !== 'value' && !isPointer) throw failure('MALFORMED_BODY.operationPointer', { index, op, name })
  }
}
