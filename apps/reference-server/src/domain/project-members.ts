import type { Db } from '../database/database.ts'
import type { Id } from '../database/values.ts'

/** Loads who works on some projects, with one query. */
export async function loadMembers(db: Db, projects: { id: Id; employeeIds: number[] | undefined }[]): Promise<void> {
  const byProject = new Map(projects.map(({ id }) => [Number(id), [] as number[]]))
  const rows = await db
    .selectFrom('project_employees')
    .select(['projectId', 'employeeId'])
    .where('projectId', 'in', [...byProject.keys()])
    .orderBy('employeeId')
    .execute()
  for (const { projectId, employeeId } of rows) byProject.get(Number(projectId))?.push(Number(employeeId))
  for (const project of projects) project.employeeIds = byProject.get(Number(project.id)) ?? []
}

/** Writes who works on a project. Gives an id that is no employee's, and then writes nothing. */
export async function saveMembers(
  db: Db,
  projectId: number,
  employeeIds: readonly number[],
): Promise<number | undefined> {
  const ids = [...new Set(employeeIds)]
  if (ids.length > 0) {
    const rows = await db.selectFrom('employees').select('id').where('id', 'in', ids).execute()
    const known = new Set(rows.map(({ id }) => Number(id)))
    const unknown = ids.find((id) => !known.has(id))
    if (unknown !== undefined) return unknown
  }
  await db.deleteFrom('project_employees').where('projectId', '=', projectId).execute()
  if (ids.length > 0)
    await db
      .insertInto('project_employees')
      .values(ids.map((employeeId) => ({ projectId, employeeId })))
      .execute()
  return undefined
}
