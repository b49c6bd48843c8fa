import { readdirSync, readFileSync } from 'node:fs'
import { PNG } from 'pngjs'
import { beforeAll, describe, expect, test } from 'vitest'
import { findChromium } from './find-chromium.ts'
import { countDifferentBlocks } from './picture-difference.ts'
import { PICTURES, pictureNames, type TakenPicture, takePictures } from './take-pictures.ts'

const RETAKE = 'cd apps/reference-server && node --conditions=@svc/source test/pages/take-pictures.ts'
const MAX_BLOCKS = 12

const binary = findChromium()
describe.skipIf(!binary)('the pictures of the docs (needs Chromium)', () => {
  let taken: ReadonlyMap<string, TakenPicture>
  beforeAll(async () => {
    taken = await takePictures(binary ?? '')
  })

  test.each(pictureNames)('%s shows the page of today', (name) => {
    const { png, varying = [] } = taken.get(name) ?? {}
    const shown = readFileSync(`${PICTURES}${name}.png`)
    const count = png ? countDifferentBlocks(shown, png, varying) : Number.NaN
    expect(count, `${name}.png has ${count} blocks that look different. Retake: ${RETAKE}`).toBeLessThan(MAX_BLOCKS)
  })

  test('are all taken by the script', () => {
    const files = readdirSync(PICTURES).filter((file) => file.endsWith('.png'))
    expect(files.sort()).toEqual(pictureNames.map((name) => `${name}.png`).sort())
  })
})

describe('countDifferentBlocks()', () => {
  const white = draw(() => 255)
  const area = { x: 100, y: 40, width: 40, height: 12 }

  test('ignores edges that are a little darker', () => {
    expect(
      countDifferentBlocks(
        white,
        draw((x) => (x % 16 === 0 ? 215 : 255)),
      ),
    ).toBe(0)
  })

  test('sees a word', () => {
    const word = draw((x, y) => (x >= 100 && x < 140 && y >= 40 && y < 52 && x % 3 === 0 ? 0 : 255))
    expect(countDifferentBlocks(white, word)).toBe(30)
    expect(countDifferentBlocks(white, word, [area])).toBe(0)
  })

  test('sees another size in every block', () => {
    expect(
      countDifferentBlocks(
        white,
        draw(() => 255, 96),
      ),
    ).toBe(50 * 25)
  })
})

function draw(brightness: (x: number, y: number) => number, height = 100): Buffer {
  const png = new PNG({ width: 200, height })
  for (let index = 0; index < png.data.length; index += 4) {
    const pixel = index / 4
    png.data.fill(brightness(pixel % 200, Math.floor(pixel / 200)), index, index + 3)
    png.data[index + 3] = 255
  }
  return PNG.sync.write(png)
}
