import type { Migration } from '../../database/open.ts'
import { up as organisation } from './0001-organisation.ts'
import { up as catalogue } from './0002-catalogue.ts'
import { up as people } from './0003-people.ts'
import { up as sales } from './0004-sales.ts'
import { up as banking } from './0005-banking.ts'
import { up as service } from './0006-service.ts'
import { up as idempotency } from './0007-idempotency.ts'
import { up as exports } from './0008-exports.ts'
import { up as soap } from './0009-soap.ts'
import { up as webhooks } from './0010-webhooks.ts'
import { up as currencies } from './0011-currencies.ts'
import { up as subjects } from './0012-subjects.ts'
import { up as idempotencyColumns } from './0013-idempotency-columns.ts'
import { type Schema, schemaOf } from './schema.ts'

const ups: Readonly<Record<string, (schema: Schema) => Promise<void>>> = {
  '0001-organisation': organisation,
  '0002-catalogue': catalogue,
  '0003-people': people,
  '0004-sales': sales,
  '0005-banking': banking,
  '0006-service': service,
  '0007-idempotency': idempotency,
  '0008-exports': exports,
  '0009-soap': soap,
  '0010-webhooks': webhooks,
  '0011-currencies': currencies,
  '0012-subjects': subjects,
  '0013-idempotency-columns': idempotencyColumns,
}

/** The migrations in their order: one text of each for both databases. */
export const migrations: readonly Migration[] = Object.entries(ups).map(([name, up]) => ({
  name,
  run: (tx) => up(schemaOf(tx)),
}))
