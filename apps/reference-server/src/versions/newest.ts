import type { Item } from '../resources/define.ts'
import type { Money } from '../resources/money.ts'
import { type Body, salaryToMoney, salaryToNumber } from './v2.ts'

/** Where the newest version is not what is kept: pure functions between the two. */
export interface Edge {
  /** The version that shows items as they are kept: between the two there is nothing to change. */
  keptAs?: string
  /** An item as the newest version shows it; `shown` holds its visible fields as they are kept. */
  show(shown: Body, item: Item): Body
  /** What the newest version sends, as it is kept. */
  accept(input: Body): Body
}

/** The edges by collection; every other collection is shown as it is kept. */
export const newest: Readonly<Record<string, Edge>> = {
  employees: {
    keptAs: '1',
    show: (shown, { departmentId }) => ({
      ...shown,
      department: { ...(departmentId !== undefined && { id: departmentId }), name: shown['department'] },
      salary: salaryToMoney(Number(shown['salary'])),
    }),
    accept: (input) => {
      const { department, salary } = input as { department?: { name: string }; salary?: Money }
      return {
        ...input,
        ...(department !== undefined && { department: department.name }),
        ...(salary !== undefined && { salary: salaryToNumber(salary) }),
      }
    },
  },
}
