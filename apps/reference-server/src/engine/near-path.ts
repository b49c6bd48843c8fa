import { countEdits, findNearName } from '../messages/near-name.ts'
import type { Route } from './route.ts'

/** Finds the path that a path was probably meant to be. */
export type FindNear = (path: string) => string | undefined

const MAX_SEGMENTS = 8

/** Compares a path with those of routes, segment by segment; variables take whatever stands there. */
export function nearPaths(routes: readonly Route[]): FindNear {
  const known = routes.map(({ path }) => path.slice(1).split('/'))
  return (path) => {
    const segments = path.slice(1).split('/')
    if (segments.length > MAX_SEGMENTS) return undefined
    let best: { path: string; distance: number } | undefined
    for (const names of known) {
      const near = compare(segments, names)
      if (near && (!best || near.distance < best.distance)) best = near
    }
    return best?.path
  }
}

function compare(
  segments: readonly string[],
  names: readonly string[],
): { path: string; distance: number } | undefined {
  if (segments.length !== names.length) return undefined
  let distance = 0
  let path = ''
  for (const [index, name] of names.entries()) {
    const segment = segments[index] ?? ''
    const isVariable = name.startsWith('{')
    // What stands for a variable is sent back as it came, if it cannot be anything else but that.
    if (isVariable ? !/^\w{1,40}$/.test(segment) : segment !== name && findNearName(segment, [name]) === undefined)
      return undefined
    if (!isVariable) distance += countEdits(segment, name)
    path += `/${isVariable ? segment : name}`
  }
  return { path, distance }
}
