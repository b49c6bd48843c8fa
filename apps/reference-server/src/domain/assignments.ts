import {
  type ActionContext,
  type ActionResult,
  type CompiledCollections,
  getCollection,
  type Item,
  inTransaction,
  itemResult,
  NO_CONTENT,
  type Route,
  requireItem,
  route,
  toItemState,
  updateItem,
} from '../engine/index.ts'

/** Creates the route that assigns an employee to a project and releases them from it. */
export function assignmentRoute(shapes: CompiledCollections): Route {
  const employees = getCollection(shapes, 'employees')
  const projects = getCollection(shapes, 'projects')
  const change = (call: ActionContext, isMember: boolean): Promise<Item> =>
    inTransaction(call, async (work) => {
      const { employeeId = '', projectId = '' } = call.params
      const employee = await requireItem(employees, employeeId, work)
      const project = await requireItem(projects, projectId, work, true)
      call.requireCurrent(toItemState(project))
      const members = new Set(project['employeeIds'] as number[])
      if (isMember === members.has(Number(employee.id))) return project
      if (isMember) members.add(Number(employee.id))
      else members.delete(Number(employee.id))
      return updateItem(projects, project, { ...project, employeeIds: [...members] }, work)
    })
  const assign = async (call: ActionContext): Promise<ActionResult> => {
    const project = await change(call, true)
    return { ...itemResult(200, projects, project), contentLocation: `/projects/${project.id}` }
  }
  const release = async (call: ActionContext): Promise<ActionResult> => {
    await change(call, false)
    return NO_CONTENT
  }
  const write = {
    shape: projects,
    tag: 'projects',
    scope: 'projects:write',
    kind: 'item',
    groups: '"projects"',
  } as const
  return route('/employees/{employeeId}/projects/{projectId}', {
    PUT: {
      ...write,
      operationId: 'assignEmployee',
      summary: 'Assign an employee to a project',
      description: 'Adds an employee to the members of a project and returns the project.',
      run: assign,
    },
    DELETE: {
      ...write,
      operationId: 'releaseEmployee',
      summary: 'Release an employee from a project',
      description: 'Removes an employee from the members of a project.',
      run: release,
    },
  })
}
