import { list } from '../engine/composites.ts'
import { collection, noun, refuseValue } from '../engine/define.ts'
import { choice, date, prose, reference, text } from '../engine/fields.ts'
import { apart, comparedBy, described, optional } from '../engine/modifiers.ts'
import { loadMembers, saveMembers } from './project-members.ts'

/** What departments work on, and who does. */
export const projects = collection({
  name: 'projects',
  item: 'project',
  description: 'Projects of departments, with the employees who work on them.',
  example: {
    id: 1,
    name: 'Apollo',
    description: 'The Apollo project',
    status: 'PLANNED',
    startDate: '2026-01-01',
    departmentId: 1,
    employeeIds: [6, 19, 39, 63, 96],
  },
  fields: {
    name: described(text({ max: 200 }), 'Name of the project.'),
    description: described(optional(prose({ max: 4000 })), 'What the project is about.'),
    status: described(optional(choice('PLANNED', 'ACTIVE', 'COMPLETED', 'CANCELLED')), 'State of the project.'),
    startDate: described(optional(date()), 'First day.'),
    endDate: described(optional(date()), 'Last day; not before the first.'),
    departmentId: described(optional(reference()), 'Department that runs the project.'),
    employeeIds: described(
      optional(apart(comparedBy(sameMembers, list(reference(), { max: 1000 })))),
      'Employees who work on the project.',
    ),
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
