import type { Schema } from './schema.ts'

/** Nonces of WS-Security that were seen. */
export async function up({ plainTable, index, long, text }: Schema): Promise<void> {
  await plainTable('soap_nonces', [`"nonce" ${text} primary key`, `"untilMs" ${long} not null`])
  await index('soap_nonces', ['untilMs'])
}
