import type { Schema } from './schema.ts'

/** Files that operations made; they go with their operation. */
export async function up({ plainTable, text }: Schema): Promise<void> {
  await plainTable('exports', [
    `"operationId" ${text} primary key references "operations" ("id") on delete cascade`,
    `"type" ${text} not null`,
    `"name" ${text} not null`,
    `"content" ${text} not null`,
  ])
}
