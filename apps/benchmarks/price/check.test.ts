import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { findExcess, findSavings } from './check.ts'

const recorded = { 'GET one': 2, 'GET page': 4 }

test('accepts prices up to 25 % above the record', () => {
  deepEqual(findExcess({ 'GET one': 2.5, 'GET page': 3 }, recorded), [])
})

test('reports each price that is dearer', () => {
  deepEqual(findExcess({ 'GET one': 2.51, 'GET page': 9 }, recorded), [
    'GET one costs 2.51 × bare Express, 2.00 × are recorded',
    'GET page costs 9.00 × bare Express, 4.00 × are recorded',
  ])
})

test('reports a request without a record', () => {
  deepEqual(findExcess({ 'GET none': 1 }, recorded), ['GET none has no recorded price: npm run price -- --write'])
})

test('reports savings that the record does not protect yet', () => {
  deepEqual(findSavings({ 'GET one': 1.49, 'GET page': 3 }, recorded), [
    'GET one costs 1.49 ×, 2.00 × are recorded: npm run price -- --write',
  ])
})
