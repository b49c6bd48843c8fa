import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listImports, report, resolveFrom, root, trackedFiles } from './files.ts'

// No file imports itself by a detour, type imports included: a circle of files can only be read,
// tested and moved as one.
const files = trackedFiles(/^(packages\/(internal|[^/]+\/src)|apps\/[^/]+\/src)\/.*\.ts$/).filter(
  (file) => !/\.(test|bench|d)\.ts$/.test(file),
)
const imports = new Map(
  files.map((file) => [
    file,
    listImports(readFileSync(join(root, file), 'utf8'))
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => resolveFrom(file, specifier)),
  ]),
)

/** The strongly connected components of more than one file (Tarjan 1972). */
function findCircles(): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  const visit = (file: string): number => {
    const index = order.size
    order.set(file, index)
    lowest.set(file, index)
    open.push(file)
    for (const target of imports.get(file) ?? []) {
      if (!imports.has(target)) continue
      const reached = order.has(target) ? (open.includes(target) ? (order.get(target) ?? index) : index) : visit(target)
      lowest.set(file, Math.min(lowest.get(file) ?? index, reached))
    }
    const least = lowest.get(file) ?? index
    if (least === index) {
      const circle = open.splice(open.indexOf(file))
      if (circle.length > 1) circles.push(circle)
    }
    return least
  }
  for (const file of files) if (!order.has(file)) visit(file)
  return circles
}

report(
  'circles',
  findCircles().map((circle) => `${circle.length} files import each other: ${circle.sort().join(', ')}`),
)
