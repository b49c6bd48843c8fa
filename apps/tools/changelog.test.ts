import { describe, expect, test } from 'vitest'
import { getDependencyReleaseLine, getReleaseLine } from './changelog.ts'

test('keeps every line of a changeset in one list item', () => {
  const summary = 'What it is.\n\n- One.\n- Two.\n\nMore in `README.md`.'
  expect(getReleaseLine({ summary })).toBe('- What it is.\n\n  - One.\n  - Two.\n\n  More in `README.md`.')
})

describe('lists updated dependencies in one line', () => {
  const hal = { name: '@svc/hal', oldVersion: '0.1.0', newVersion: '0.2.0' }
  const errors = { name: '@svc/errors', oldVersion: '1.0.0', newVersion: '1.0.1' }
  const unreleased = { ...hal, oldVersion: '0.0.0', newVersion: '0.1.0' }

  test.each([
    { what: 'none', dependencies: [], line: '' },
    { what: 'a first release', dependencies: [unreleased], line: '' },
    {
      what: 'two updates',
      dependencies: [hal, unreleased, errors],
      line: '- Updated dependencies: @svc/hal 0.2.0, @svc/errors 1.0.1.',
    },
  ])('for $what', ({ dependencies, line }) => {
    expect(getDependencyReleaseLine([], dependencies)).toBe(line)
  })
})
