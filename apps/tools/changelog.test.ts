import { describe, expect, test } from 'vitest'
import { getDependencyReleaseLine, getReleaseLine } from './changelog.ts'

test.each([
  { what: 'a paragraph is a list item', summary: 'What it is,\nand why.', text: '- What it is,\n  and why.' },
  {
    what: 'a longer text stays as it is',
    summary: 'What it is.\n\n- One.\n- Two.',
    text: 'What it is.\n\n- One.\n- Two.',
  },
  {
    what: 'headings are below those of the change log',
    summary: 'Gone.\n\n### Who is affected\n\nAll.\n\n## How to migrate\n\n```sh\n# so\n```',
    text: 'Gone.\n\n#### Who is affected\n\nAll.\n\n#### How to migrate\n\n```sh\n# so\n```',
  },
])('$what', ({ summary, text }) => {
  expect(getReleaseLine({ summary })).toBe(text)
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
