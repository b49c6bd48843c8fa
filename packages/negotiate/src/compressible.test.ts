import { expect, test } from 'vitest'
import { isCompressible } from './compressible.ts'

test.each([
  ['text/html', true],
  ['Application/JSON; charset=utf-8', true],
  ['application/vnd.acme.v1+json', true],
  ['application/vnd.acme.v1+html; charset=utf-8', true],
  ['application/vnd.acme.v1+csv', true],
  ['application/vnd.acme.v1+plain', true],
  ['application/pdf', false],
  ['application/x-ndjson', false], // each line would wait in the encoder
  ['application/vnd.acme.v1+zip', false],
  ['application/html', false],
  ['image/png', false],
  ['', false],
])('%s is compressible: %s', (type, expected) => {
  expect(isCompressible(type)).toBe(expected)
})
