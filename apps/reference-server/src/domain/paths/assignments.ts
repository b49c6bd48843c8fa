import { requireItem } from '../../engine/access.ts'
import type { Call } from '../../engine/call.ts'
import type { Item } from '../../engine/define.ts'
import { itemResult, stateOf } from '../../engine/read.ts'
import { NOTHING, type Result } from '../../engine/result.ts'
import { type Route, route } from '../../engine/route.ts'
import { type Shapes, shapeNamed } from '../../engine/shape.ts'
import { inTransaction } from '../../engine/transaction.ts'
import { updateItem, workOf } from '../../engine/write.ts'

/** /employees/{id}/projects/{projectId}: PUT assigns the employee to the project, DELETE takes them off it. */
export function assignmentRoute(shapes: Shapes): Route {
  const employees = shapeNamed(shapes, 'employees')
  const projects = shapeNamed(shapes, 'projects')
  const change = (call: Call, isMember: boolean): Promise<Item> =>
    inTransaction(call, async (db) => {
      const { employeeId = '', projectId = '' } = call.params
      const employee = await requireItem(employees, employeeId, { ...call, db })
      const project = await requireItem(projects, projectId, { ...call, db }, true)
      call.requireCurrent(stateOf(project))
      const members = new Set(project['employeeIds'] as number[])
      if (isMember === members.has(Number(employee.id))) return project
      if (isMember) members.add(Number(employee.id))
      else members.delete(Number(employee.id))
      return updateItem(projects, project, { ...project, employeeIds: [...members] }, workOf(call, db))
    })
  const assign = async (call: Call): Promise<Result> => {
    const project = await change(call, true)
    return { ...itemResult(200, projects, project), contentLocation: `/projects/${project.id}` }
  }
  const release = async (call: Call): Promise<Result> => {
    await change(call, false)
    return NOTHING
  }
  const write = {
    scope: 'projects:write',
    kind: 'item',
    accepts: [],
    idempotency: 'none',
    cost: 2,
    groups: '"projects"',
  } as const
  return route('/employees/{employeeId}/projects/{projectId}', {
    PUT: { ...write, run: assign },
    DELETE: { ...write, run: release },
  })
}
