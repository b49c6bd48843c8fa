import { expect, test } from 'vitest'
import { recentTexts } from './recent-texts.ts'

const paths = (count: number): string[] => Array.from({ length: count }, (_, id) => `GET /employees/${id}`)

test('a text is recent from its second time on', () => {
  const isRecent = recentTexts(100)
  expect(['a', 'b', 'a', 'b', 'a'].map(isRecent)).toEqual([false, false, true, true, true])
})

test('many other texts push it out', () => {
  const isRecent = recentTexts(100)
  isRecent('a')
  for (const path of paths(10_000)) isRecent(path)
  expect(isRecent('a')).toBe(false)
})

test('few texts stay recent beside each other', () => {
  const isRecent = recentTexts(8000)
  for (const path of paths(500)) isRecent(path)
  expect(paths(500).filter(isRecent).length).toBeGreaterThan(450)
})

test('texts that come once each are not recent', () => {
  const isRecent = recentTexts(8000)
  expect(paths(50_000).filter(isRecent)).toEqual([])
})
