import type { MaybePromise } from '@svc/errors'
import { type Connection, insertRows, marks } from '../database/connection.ts'
import { chain } from '../database/maybe-promise.ts'
import type { Id } from '../database/values.ts'

interface Membership {
  projectId: number
  employeeId: number
}

/** Loads the members of projects with one query. */
export function loadMembers(
  db: Connection,
  projects: { id: Id; employeeIds: number[] | undefined }[],
): MaybePromise<void> {
  const ids = projects.map(({ id }) => Number(id))
  const sql = `select "projectId", "employeeId" from "project_employees"
    where "projectId" in (${marks(ids)}) order by "employeeId"`
  return chain(db.all<Membership>(sql, ids), (rows) => {
    const members = Map.groupBy(rows, ({ projectId }) => projectId)
    for (const project of projects)
      project.employeeIds = (members.get(Number(project.id)) ?? []).map(({ employeeId }) => employeeId)
  })
}

/** Writes the members of a project. Returns an id that no employee has, and then writes nothing. */
export async function saveMembers(
  db: Connection,
  projectId: number,
  employeeIds: readonly number[],
): Promise<number | undefined> {
  const ids = [...new Set(employeeIds)]
  if (ids.length > 0) {
    const rows = await db.all<{ id: number }>(`select "id" from "employees" where "id" in (${marks(ids)})`, ids)
    const known = new Set(rows.map(({ id }) => id))
    const unknown = ids.find((id) => !known.has(id))
    if (unknown !== undefined) return unknown
  }
  await db.run('delete from "project_employees" where "projectId" = ?', [projectId])
  await insertRows(
    db,
    'project_employees',
    ids.map((employeeId) => ({ projectId, employeeId })),
  )
  return undefined
}
