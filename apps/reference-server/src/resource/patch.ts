import { httpError } from '@svc/errors'
import jsonPatch, { type Operation } from 'fast-json-patch'
import { conflict, invalid } from '../failures.ts'
import { mergePatch } from './merge-patch.ts'

/** Media types of a PATCH; plain JSON is a merge patch. */
export const PATCH_TYPES = ['application/merge-patch+json', 'application/json-patch+json', 'application/json'] as const

const MAX_OPERATIONS = 100

/** Applies a patch to what a client sees, all of it or nothing. */
export function applyPatch(type: string, current: Readonly<Record<string, unknown>>, patch: unknown): unknown {
  if (type === 'application/json-patch+json') return applyJsonPatch(current, patch)
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch))
    throw invalid(400, 'VALIDATION_FAILED', [{ pointer: '', code: 'TYPE', detail: 'must be an object' }])
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
  if (!Array.isArray(patch)) throw malformedPatch('must be an array of operations')
  if (patch.length > MAX_OPERATIONS) throw malformedPatch(`must have at most ${MAX_OPERATIONS} operations`)
  const operations = patch as Operation[]
  try {
    return jsonPatch.applyPatch(structuredClone(current), operations, true, true, true).newDocument
  } catch (error) {
    const name = error instanceof jsonPatch.JsonPatchError ? error.name : undefined
    if (name === 'TEST_OPERATION_FAILED') throw conflict('PATCH_CONFLICT', 'A test of the patch failed.')
    if (name?.startsWith('OPERATION_PATH_UNRESOLVABLE') || name === 'OPERATION_FROM_UNRESOLVABLE')
      throw conflict('PATCH_CONFLICT', 'The patch names a path that does not exist.')
    throw malformedPatch('holds an operation that is not one of RFC 6902')
  }
}

function malformedPatch(detail: string): Error {
  return httpError(400, `The patch ${detail}.`, { code: 'MALFORMED_BODY' })
}
