type Json = Record<string, unknown>

/** Applies a JSON Merge Patch (RFC 7396): null deletes, objects merge, everything else replaces. Changes nothing. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Json = Object.assign(Object.create(null), isObject(target) ? target : undefined)
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = mergePatch(merged[name], value)
  }
  return merged
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
