import { type ApiVersion, type Body, field, type IsTouched, type Money, money } from '../engine/index.ts'

/** Version 1 has salaries as bare numbers, which are of this currency. */
const MAX_SALARY: Money = { amount: '10000000.00', currency: 'EUR' }

/** Department in a request: clients send its id, its name or both. */
interface DepartmentInput {
  id?: number
  name?: string
}

/** Salaries are money, and departments are objects. */
export const v2 = {
  name: '2',
  changes: [
    {
      description: 'A salary is money: an amount and its currency.',
      resource: 'employees',
      up: (body) => withMember(body, 'salary', (salary) => toMoney(Number(salary))),
      down: (body) => withMember(body, 'salary', toNumber),
    },
    {
      description: 'A department is an object with its id and its name.',
      resource: 'employees',
      up: (body) => withMember(body, 'department', (name) => ({ name })),
      down: (body) => withMember(body, 'department', (department) => Object(department).name),
    },
  ],
  fields: {
    employees: {
      salary: field.money({ max: MAX_SALARY, currencies: [MAX_SALARY.currency] }).describe('Gross salary per month.'),
      department: field
        .group(
          {
            id: field.reference().optional().describe('Id of the department.'),
            name: field.text({ max: 100 }).optional().describe('Name of the department.'),
          },
          { atLeastOne: true },
        )
        .describe('Department that the employee works in. Requests name it by id, by name or by both.'),
    },
  },
  codecs: {
    // The id of a department is not in version 1.
    employees: {
      encode: (stored, { departmentId }) => ({
        ...stored,
        department: { ...(departmentId !== undefined && { id: departmentId }), name: stored['department'] },
        salary: toMoney(Number(stored['salary'])),
      }),
      decode: (input, isTouched) => {
        const { salary, department: sent }: { salary?: Money; department?: DepartmentInput } = input
        const department = withoutStale(sent, isTouched)
        return {
          ...input,
          ...(department !== undefined && { department: department.name }),
          ...(department?.id !== undefined && { assignedDepartmentId: department.id }),
          ...(salary !== undefined && { salary: toNumber(salary) }),
        }
      },
    },
  },
} as const satisfies ApiVersion

function withoutStale(department: DepartmentInput | undefined, isTouched: IsTouched): DepartmentInput | undefined {
  if (department?.id === undefined || department.name === undefined) return department
  const [byId, byName] = [isTouched('/department/id'), isTouched('/department/name')]
  if (byId && byName) return department
  return byId ? { id: department.id } : { name: department.name }
}

function toMoney(salary: number): Money {
  const { currency } = MAX_SALARY
  const amount = money.parse(salary.toFixed(money.countDigits(currency)), currency)
  if (!amount) throw new TypeError(`${salary} is not a salary`)
  return amount
}

function toNumber(salary: unknown): number {
  return Number(Object(salary).amount)
}

function withMember(body: Body, name: string, change: (value: unknown) => unknown): Body {
  return body[name] === undefined ? body : { ...body, [name]: change(body[name]) }
}

/** The API versions of the service, oldest first. Version 1 shows every item as it is stored. */
export const apiVersions: readonly ApiVersion[] = [{ name: '1' }, v2]
