import { PNG } from 'pngjs'
import type { Area } from './take-pictures.ts'

// Edges of letters differ between versions of Chromium, the mean of a block hardly does.
const BLOCK = 4
// Of 255, in the mean brightness of a block.
const VISIBLE = 16
// A longer duration than that of the other picture.
const MARGIN = 24

/**
 * Returns the number of blocks of 4 x 4 pixels that look different in two pictures, outside of
 * areas that vary. A changed word is 20 blocks or more. Pictures of different sizes differ in all
 * blocks.
 */
export function countDifferentBlocks(before: Buffer, after: Buffer, varying: readonly Area[] = []): number {
  const [first, second] = [PNG.sync.read(before), PNG.sync.read(after)]
  const columns = Math.floor(first.width / BLOCK)
  const rows = Math.floor(first.height / BLOCK)
  if (first.width !== second.width || first.height !== second.height) return columns * rows
  let count = 0
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const [x, y] = [column * BLOCK, row * BLOCK]
      if (varying.some((area) => isInside(area, x, y))) continue
      if (Math.abs(measureBlock(first, x, y) - measureBlock(second, x, y)) > VISIBLE) count++
    }
  return count
}

function isInside(area: Area, x: number, y: number): boolean {
  const isInColumn = x > area.x - MARGIN && x < area.x + area.width + MARGIN
  return isInColumn && y > area.y - BLOCK && y < area.y + area.height
}

/** Returns the mean of all channels of a block. */
function measureBlock({ data, width }: PNG, x: number, y: number): number {
  let sum = 0
  for (let row = y; row < y + BLOCK; row++)
    for (let column = x; column < x + BLOCK; column++) {
      const pixel = (row * width + column) * 4
      sum += (data[pixel] ?? 0) + (data[pixel + 1] ?? 0) + (data[pixel + 2] ?? 0)
    }
  return sum / (BLOCK * BLOCK * 3)
}
