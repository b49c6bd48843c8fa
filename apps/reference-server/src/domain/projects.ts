import {
  type ActionContext,
  type CompiledCollections,
  type Connection,
  chain,
  collection,
  field,
  getCollection,
  type Id,
  type Item,
  insertRows,
  inTransaction,
  itemResult,
  type MaybePromise,
  MINIMAL,
  marks,
  NO_CONTENT,
  noun,
  type Route,
  rejectValue,
  requireItem,
  route,
  toItemState,
  updateItem,
} from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }

export const projects = collection({
  name: 'projects',
  item: 'project',
  description: 'Projects of departments, with the employees who work on them.',
  example: examples.projects,
  fields: {
    name: field.text({ max: 200 }).describe('Name of the project.'),
    description: field.prose({ max: 4000 }).optional().describe('What the project is about.'),
    status: field.choice('PLANNED', 'ACTIVE', 'COMPLETED', 'CANCELLED').optional().describe('State of the project.'),
    startDate: field.date().optional().describe('First day.'),
    endDate: field.date().optional().describe('Last day; not before the first.'),
    departmentId: field.reference().optional().describe('Department that runs the project.'),
    employeeIds: field
      .list(field.reference(), { max: 1000 })
      .comparedBy(sameMembers)
      .withoutColumn()
      .optional()
      .describe('Employees who work on the project.'),
  },
  sort: ['name', 'status', 'startDate', 'endDate', 'departmentId'],
  references: { departmentId: 'departments' },
  nestedPaths: [
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
    beforeSave(next) {
      next.status ??= 'PLANNED'
      const { startDate, endDate } = next
      if (startDate !== undefined && endDate !== undefined && endDate < startDate)
        rejectValue('DATE_ORDER.end', '/endDate', { start: startDate })
    },
    async afterSave({ id, employeeIds = [] }, _previous, { db }) {
      const unknown = await saveMembers(db, Number(id), employeeIds)
      if (unknown === undefined) return
      const pointer = `/employeeIds/${employeeIds.indexOf(unknown)}`
      rejectValue('UNKNOWN_REFERENCE.item', pointer, { item: noun('employee'), id: unknown })
    },
    beforeDelete: async ({ id }, { db }) => void (await saveMembers(db, Number(id), [])),
  },
})

function sameMembers(a: readonly number[], b: readonly number[]): boolean {
  const members = new Set(a)
  return members.size === new Set(b).size && b.every((id) => members.has(id))
}

/** Loads the members of projects with one query. */
function loadMembers(db: Connection, projects: { id: Id; employeeIds: number[] | undefined }[]): MaybePromise<void> {
  const ids = projects.map(({ id }) => Number(id))
  const sql = `select "projectId", "employeeId" from "project_employees"
    where "projectId" in (${marks(ids)}) order by "employeeId"`
  return chain(db.all<{ projectId: number; employeeId: number }>(sql, ids), (rows) => {
    const members = Map.groupBy(rows, ({ projectId }) => projectId)
    for (const project of projects)
      project.employeeIds = (members.get(Number(project.id)) ?? []).map(({ employeeId }) => employeeId)
  })
}

/** Writes the members of a project. Returns an id that no employee has, and then writes nothing. */
async function saveMembers(
  db: Connection,
  projectId: number,
  employeeIds: readonly number[],
): Promise<number | undefined> {
  const ids = [...new Set(employeeIds)]
  if (ids.length > 0) {
    const rows = await db.all<{ id: number }>(`select "id" from "employees" where "id" in (${marks(ids)})`, ids)
    const existing = new Set(rows.map(({ id }) => id))
    const unknown = ids.find((id) => !existing.has(id))
    if (unknown !== undefined) return unknown
  }
  await db.run('delete from "project_employees" where "projectId" = ?', [projectId])
  const memberships = ids.map((employeeId) => ({ projectId, employeeId }))
  await insertRows(db, 'project_employees', memberships)
  return undefined
}

/** Creates the route that assigns an employee to a project and releases them from it. */
export function assignmentRoute(shapes: CompiledCollections): Route {
  const employees = getCollection(shapes, 'employees')
  const shape = getCollection(shapes, 'projects')
  const change = (call: ActionContext, isMember: boolean): Promise<Item> =>
    inTransaction(call, async (work) => {
      const { employeeId = '', projectId = '' } = call.params
      const employee = await requireItem(employees, employeeId, work)
      const project = await requireItem(shape, projectId, work, true)
      call.requireCurrent(toItemState(project))
      const { employeeIds } = project
      const members = new Set<unknown>(Array.isArray(employeeIds) ? employeeIds : [])
      const id = Number(employee.id)
      if (isMember === members.has(id)) return project
      if (isMember) members.add(id)
      else members.delete(id)
      return updateItem(shape, project, { ...project, employeeIds: [...members] }, work)
    })
  const write = { shape, tag: 'projects', scope: 'projects:write', kind: 'item', groups: '"projects"' } as const
  return route('/employees/{employeeId}/projects/{projectId}', {
    PUT: {
      ...write,
      operationId: 'assignEmployee',
      summary: 'Assign an employee to a project',
      description: 'Adds an employee to the members of a project and returns the project.',
      async run(call) {
        const project = await change(call, true)
        if (call.prefer.return === 'minimal') return MINIMAL
        return { ...itemResult(200, shape, project), contentLocation: `/projects/${project.id}` }
      },
    },
    DELETE: {
      ...write,
      operationId: 'releaseEmployee',
      summary: 'Release an employee from a project',
      description: 'Removes an employee from the members of a project.',
      async run(call) {
        await change(call, false)
        return NO_CONTENT
      },
    },
  })
}
