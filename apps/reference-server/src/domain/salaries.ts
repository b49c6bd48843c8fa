import type { Document } from '../engine/define.ts'

const BANDS = 8

/** How much the employees of a department earn, without their names. */
export const salaries: Document = {
  name: 'salaries',
  path: '/departments/{id}/salaries',
  parent: 'departments',
  scope: 'employees',
  cache: 'private',
  groups: ['employees'],
  async read({ id, name }, db) {
    const rows = await db
      .selectFrom('employees')
      .select('salary')
      .where('department', '=', String(name))
      .orderBy('salary')
      .execute()
    const cents = rows.map(({ salary }) => Number(salary))
    const sum = cents.reduce((total, amount) => total + amount, 0)
    const amounts = cents.map((amount) => amount / 100)
    return {
      departmentId: id,
      department: name,
      employees: amounts.length,
      ...(amounts.length > 0 && {
        lowest: amounts[0],
        median: amounts[Math.floor((amounts.length - 1) / 2)],
        average: Math.round(sum / amounts.length) / 100,
        highest: amounts.at(-1),
      }),
      bands: bandsOf(amounts),
    }
  },
  links: ({ id, name }) => ({
    department: `/departments/${id}`,
    employees: `/employees?department=${encodeURIComponent(String(name))}`,
  }),
}

interface Band {
  from: number
  /** Not part of the band. */
  to: number
  employees: number
}

/** Bands of equal width with round limits that hold all amounts, which are sorted. */
export function bandsOf(amounts: readonly number[]): Band[] {
  const lowest = amounts[0]
  const highest = amounts.at(-1)
  if (lowest === undefined || highest === undefined) return []
  const width = roundWidth((highest - lowest) / BANDS)
  const bands: Band[] = []
  for (let from = Math.floor(lowest / width) * width; from <= highest; from += width)
    bands.push({ from, to: from + width, employees: 0 })
  for (const amount of amounts) {
    const band = bands.find(({ to }) => amount < to)
    if (band) band.employees++
  }
  return bands
}

// The next of 1, 2, 5, 10, 20, 50 ... that is not smaller.
function roundWidth(least: number): number {
  if (least <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power
}
