import { STATUS_CODES } from 'node:http'
import { expect, test } from 'vitest'
import { getStatusDefaults } from './status.ts'

// Statuses for which RFC 9110 §15 differs from the table of Node.js, or which are unused.
const DIFFERENT: Record<number, string> = {
  413: 'Content Too Large',
  414: 'URI Too Long',
  418: 'Client Error',
  422: 'Unprocessable Content',
  509: 'Server Error',
  510: 'Server Error',
}

const STATUSES = Object.keys(STATUS_CODES).map(Number)

test.each(STATUSES.filter((status) => status >= 400))('knows the reason phrase of %i (RFC 9110 §15)', (status) => {
  expect(getStatusDefaults(status).reason).toBe(DIFFERENT[status] ?? STATUS_CODES[status])
  expect(getStatusDefaults(status).code).toMatch(/^[A-Z][A-Z_]+$/)
  expect(getStatusDefaults(status).message).toMatch(/^[A-Z].*\.$/)
})
