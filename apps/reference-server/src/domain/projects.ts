import { list } from '../engine/composites.ts'
import { collection, noun, refuseValue } from '../engine/define.ts'
import { choice, date, prose, reference, text } from '../engine/fields.ts'
import { apart, comparedBy, optional } from '../engine/modifiers.ts'
import { loadMembers, saveMembers } from './project-members.ts'

/** What departments work on, and who does. */
export const projects = collection({
  name: 'projects',
  item: 'project',
  fields: {
    name: text({ max: 200 }),
    description: optional(prose({ max: 4000 })),
    status: optional(choice('PLANNED', 'ACTIVE', 'COMPLETED', 'CANCELLED')),
    startDate: optional(date()),
    endDate: optional(date()),
    departmentId: optional(reference()),
    employeeIds: optional(apart(comparedBy(sameMembers, list(reference(), { max: 1000 })))),
  },
  sort: ['name', 'status', 'startDate', 'endDate', 'departmentId'],
  filters: ['name', 'status', 'startDate', 'endDate', 'departmentId'],
  references: { departmentId: 'departments' },
  views: [
    {
      path: '/employees/{employeeId}/projects',
      parent: 'employees',
      condition: '"id" in (select "projectId" from "project_employees" where "employeeId" = ?)',
      methods: ['GET'],
    },
  ],
  links: { department: '/departments/{departmentId}' },
  cache: 'private',
  hooks: {
    load: loadMembers,
    prepare(next) {
      next.status ??= 'PLANNED'
      const { startDate, endDate } = next
      if (startDate !== undefined && endDate !== undefined && endDate < startDate)
        refuseValue('DATE_ORDER.end', '/endDate', { start: startDate })
    },
    async saved({ id, employeeIds = [] }, _previous, { db }) {
      const unknown = await saveMembers(db, Number(id), employeeIds)
      if (unknown === undefined) return
      const pointer = `/employeeIds/${employeeIds.indexOf(unknown)}`
      refuseValue('UNKNOWN_REFERENCE.item', pointer, { item: noun('employee'), id: unknown })
    },
    removing: async ({ id }, { db }) => void (await saveMembers(db, Number(id), [])),
  },
})

function sameMembers(a: readonly number[], b: readonly number[]): boolean {
  const members = new Set(a)
  return members.size === new Set(b).size && b.every((id) => members.has(id))
}
