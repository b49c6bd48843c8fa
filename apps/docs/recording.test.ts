import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordDemo } from './recording.ts'
import { recordingSvg } from './recording-svg.ts'

test('the picture of the demo shows what the server prints today', { timeout: 60_000 }, async () => {
  const picture = readFileSync(join(import.meta.dirname, 'pictures/demo.svg'), 'utf8')
  expect(await recordDemo(), 'run `node recording.ts` in apps/docs').toBe(picture)
  expect(picture.length).toBeLessThan(60_000)
})

test('the first command is there before anything moves', () => {
  const scenes = ['npx first', 'curl -i'].map((command) => ({ command, lines: [`of ${command}`] }))
  const [first, shown, typed, later] = recordingSvg('Demo', scenes).match(/<text .*<\/text>/g) ?? []
  expect(first).toContain('first')
  expect([first, shown].join()).not.toMatch(/typed|shown/)
  expect(typed).toContain('class="typed"')
  expect(later).toContain('class="shown"')
})

test('shows everything to readers who prefer no motion, and has dark colors', () => {
  const svg = recordingSvg('Demo', [{ command: 'curl -i', lines: ['HTTP/1.1 404 Not Found', 'Vary: <&>', '…'] }])
  expect(svg).toContain('@media(prefers-reduced-motion:reduce){.typed,.shown{animation:none}}')
  expect(svg).toContain('@media(prefers-color-scheme:dark)')
  expect(svg).toContain('<tspan class="bad">HTTP/1.1 404 Not Found</tspan>')
  expect(svg).toContain('<tspan class="name">Vary:</tspan> &#60;&#38;&#62;')
})
