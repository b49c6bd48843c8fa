import type { ErrorRecord } from './record.ts'

/** Formats the record for a terminal. */
export function toText(record: ErrorRecord): string {
  const lines = [`${record.status} ${record.error}`, '', record.message]
  if (record.errors) {
    lines.push(
      '',
      ...record.errors.map(
        ({ location, field, detail }) => `- ${[location, field].filter(Boolean).join(' ')}: ${detail}`,
      ),
    )
  }
  lines.push('', ...(record.code ? [`code: ${record.code}`] : []), `path: ${record.path}`, `time: ${record.timestamp}`)
  return `${lines.join('\n')}\n`
}
