import type { Schema } from './schema.ts'

/** A stable subject for each user, which the database assigns to rows that come without one. */
export async function up({ dialect, run, unique }: Schema): Promise<void> {
  for (const statement of STATEMENTS[dialect]) await run(statement)
  await unique('users', 'subject')
}

const SQLITE_SUBJECT = `'user:' || lower(hex(randomblob(16)))`
const POSTGRES_SUBJECT = `'user:' || replace(gen_random_uuid()::text, '-', '')`

const STATEMENTS = {
  sqlite: [
    'alter table "users" add column "subject" text',
    `update "users" set "subject" = ${SQLITE_SUBJECT}`,
    `create trigger "users_subject" after insert on "users" when new."subject" is null
      begin update "users" set "subject" = ${SQLITE_SUBJECT} where "id" = new."id"; end`,
  ],
  postgres: [
    'alter table "users" add column "subject" text collate "C"',
    `update "users" set "subject" = ${POSTGRES_SUBJECT}`,
    `alter table "users" alter column "subject" set default ${POSTGRES_SUBJECT}`,
    'alter table "users" alter column "subject" set not null',
  ],
} as const
