import type { Field } from './fields.ts'

/** A field with a sentence about what it holds, for the OpenAPI document. */
export function described<T>(of: Field<T>, description: string, ...examples: readonly T[]): Field<T> {
  return { ...of, json: { ...of.json, description, ...(examples.length > 0 && { examples }) } }
}

/** A field that may be left out. */
export function optional<T>(of: Field<T>): Field<T | undefined> {
  return { ...(of as Field<T | undefined>), required: false }
}

/** A field that the server alone sets. */
export function readOnly<T>(of: Field<T>): Field<T> {
  return { ...of, required: false, writable: { create: false, update: false } }
}

/** A field that is set at creation and stays. */
export function fixed<T>(of: Field<T>): Field<T> {
  return { ...of, writable: { create: true, update: false } }
}

/** A field that the server sets at creation and clients change afterwards. */
export function changeable<T>(of: Field<T>): Field<T> {
  return { ...of, required: false, writable: { create: false, update: true } }
}

/** A field that links and rules use and no representation shows. */
export function hidden<T>(of: Field<T>): Field<T> {
  return { ...of, visible: false, required: false, writable: { create: false, update: false } }
}

/** A field that clients write and nobody reads: it has no column, a hook takes it. */
export function secret<T>(of: Field<T>): Field<T> {
  return { ...of, json: { ...of.json, writeOnly: true }, visible: false, columns: {}, kind: 'none' }
}

/** A field whose value SQL computes from the row. */
export function computed<T>(of: Field<T>, select: string): Field<T> {
  return { ...of, select, kind: 'none', required: false, writable: { create: false, update: false } }
}

/** A field that has no column: a hook of the collection loads and saves it. */
export function apart<T>(of: Field<T>): Field<T> {
  return { ...of, columns: {}, kind: 'none' }
}

/** A field whose values are the same to the service although their JSON differs. */
export function comparedBy<T>(isEqual: (a: T, b: T) => boolean, of: Field<T>): Field<T> {
  return { ...of, isEqual }
}
