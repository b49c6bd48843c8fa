import type { Item } from '../../engine/define.ts'
import type { Money } from '../../engine/money.ts'
import { type Body, salaryToMoney, salaryToNumber } from './v2.ts'

/** Where the newest version is not what is kept: pure functions between the two. */
export interface Edge {
  /** The version that shows items as they are kept: between the two there is nothing to change. */
  keptAs?: string
  /** An item as the newest version shows it; `shown` holds its visible fields as they are kept. */
  show(shown: Body, item: Item): Body
  /** What the newest version sends, as it is kept. */
  accept(input: Body): Body
  /**
   * A patched representation without what the patch made stale: a value that says the same as another one that the patch
   * changed. @defaultValue as it is
   */
  settle?(patched: Body, isTouched: (pointer: string) => boolean): Body
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
      const { department, salary } = input as { department?: DepartmentInput; salary?: Money }
      return {
        ...input,
        ...(department !== undefined && { department: department.name }),
        ...(department?.id !== undefined && { assignedDepartmentId: department.id }),
        ...(salary !== undefined && { salary: salaryToNumber(salary) }),
      }
    },
    settle: (patched, isTouched) => {
      const { department } = patched as { department?: DepartmentInput }
      if (department?.id === undefined || department.name === undefined) return patched
      const [byId, byName] = [isTouched('/department/id'), isTouched('/department/name')]
      if (byId && byName) return patched
      return { ...patched, department: byId ? { id: department.id } : { name: department.name } }
    },
  },
}

/** How clients of version 2 name a department: by either of the two, or by both. */
interface DepartmentInput {
  id?: number
  name?: string
}
