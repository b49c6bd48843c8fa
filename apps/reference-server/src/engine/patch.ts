import jsonPatch, { type Operation } from 'fast-json-patch'
import { failureAt } from '../messages/errors.ts'
import { quoteInput } from '../messages/messages.ts'
import { HAL_TYPES } from './read-body.ts'
import { isObject, requireObject } from './validate.ts'

/** Media types of a PATCH; plain JSON and HAL are merge patches. */
export const PATCH_TYPES = [
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/json',
  ...HAL_TYPES,
] as const

const MAX_OPERATIONS = 100
/** As many as a body can have when it is decoded. */
const MAX_COPIED = 4 * 1024 * 1024

/** Applies a patch to what a client sees, all of it or nothing. */
export function applyPatch(type: string, current: Readonly<Record<string, unknown>>, patch: unknown): unknown {
  if (type === 'application/json-patch+json') return applyJsonPatch(current, patch)
  return mergePatch(current, requireObject(patch))
}

/** Returns whether an applied patch names the value at a pointer, or something that contains it. */
export function touchedBy(type: string, patch: unknown): (pointer: string) => boolean {
  if (type !== 'application/json-patch+json') return (pointer) => isMerged(patch, pointer.split('/').slice(1))
  const operations: readonly Operation[] = Array.isArray(patch) ? patch : []
  const paths = operations.flatMap((operation) => {
    if (operation.op === 'test') return []
    return operation.op === 'move' ? [operation.path, operation.from] : [operation.path]
  })
  return (pointer) => paths.some((path) => pointer === path || pointer.startsWith(`${path}/`))
}

function isMerged(patch: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined || typeof patch !== 'object' || patch === null) return true
  return Object.hasOwn(patch, name) && isMerged(Object(patch)[name], rest)
}

// RFC 7396: null deletes, objects merge, everything else replaces. Changes nothing.
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Record<string, unknown> = Object.assign(Object.create(null), isObject(target) ? target : undefined)
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = mergePatch(merged[name], value)
  }
  return merged
}

// fast-json-patch changes its input, even if it fails, so it gets a clone.
function applyJsonPatch(current: Readonly<Record<string, unknown>>, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw failureAt('', 'MALFORMED_BODY.patchArray')
  if (patch.length > MAX_OPERATIONS) throw failureAt('', 'MALFORMED_BODY.patchLength', { count: MAX_OPERATIONS })
  patch.forEach(checkOperation)
  let document: unknown = structuredClone(current)
  let copied = 0
  for (const [index, operation] of patch.entries()) {
    const { op } = operation
    if (op === 'copy') copied += JSON.stringify(findValue(document, operation.from) ?? null).length
    if (copied > MAX_COPIED) throw failureAt(`/${index}`, 'PATCH_INVALID.size', { index, op, maxBytes: MAX_COPIED })
    document = applyOperation(document, operation, index)
  }
  return document
}

function applyOperation(document: unknown, operation: Operation, index: number): unknown {
  const { op, path } = operation
  const reject = (name: 'path' | 'from', pointer: string) =>
    failureAt(`/${index}/${name}`, 'PATCH_CONFLICT.path', { index, op, path: quoteInput(pointer) })
  if (op === 'move' || op === 'copy') {
    const { from } = operation
    if (findValue(document, from) === undefined) throw reject('from', from)
    // Nothing moves into itself (RFC 6902 §4.4).
    if (op === 'move' && path.startsWith(`${from}/`)) throw reject('path', path)
  }
  const isFound =
    op === 'remove' || op === 'replace' ? findValue(document, path) !== undefined : hasPlace(document, path)
  if (!isFound) throw reject('path', path)
  try {
    return jsonPatch.applyOperation(document, operation, true, true, true, index).newDocument
  } catch (error) {
    // A path to a prototype, which it throws a TypeError about.
    if (!(error instanceof jsonPatch.JsonPatchError))
      throw failureAt(`/${index}/path`, 'MALFORMED_BODY.operationPointer', { index, op, name: 'path' })
    if (error.name === 'TEST_OPERATION_FAILED')
      throw failureAt(`/${index}/value`, 'PATCH_CONFLICT.test', { index, op, path: quoteInput(path) })
    throw reject('path', path)
  }
}

/**
 * Returns the value at a pointer; `undefined` if there is none. fast-json-patch also finds what
 * objects inherit, such as their constructor.
 */
function findValue(document: unknown, pointer: string): unknown {
  let value = document
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    // An index has no leading zeros (RFC 6901 §4).
    if (Array.isArray(value)) value = INDEX.test(name) ? value[Number(name)] : undefined
    else value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}

/** Returns whether something contains the place that a pointer names. */
function hasPlace(document: unknown, pointer: string): boolean {
  const end = pointer.lastIndexOf('/')
  if (end === -1) return true
  const container = findValue(document, pointer.slice(0, end))
  return Array.isArray(container) ? !LEADING_ZERO.test(pointer.slice(end + 1)) : isObject(container)
}

const INDEX = /^(?:0|[1-9]\d*)$/
const LEADING_ZERO = /^0\d/

/** Required members of each operation in addition to `op` and `path` (RFC 6902 §4). */
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
  const { op, ...members }: Record<string, unknown> = Object(operation)
  if (typeof op !== 'string' || !Object.hasOwn(MEMBERS, op))
    throw failureAt(`/${index}/op`, 'MALFORMED_BODY.operation', { index, allowed: Object.keys(MEMBERS) })
  for (const name of ['path', ...(MEMBERS[op] ?? [])]) {
    if (members[name] === undefined)
      throw failureAt(`/${index}/${name}`, 'MALFORMED_BODY.operationMember', { index, op, name })
    const isPointer = typeof members[name] === 'string' && POINTER.test(members[name])
    if (name !== 'value' && !isPointer)
      throw failureAt(`/${index}/${name}`, 'MALFORMED_BODY.operationPointer', { index, op, name })
  }
}
