import { escapeAttribute, escapeText } from '../../internal/xml-escape.ts'
import type { ErrorRecord } from './record.ts'

/** Formats the record as a plain page without styles, scripts or images. */
export function toHtml(record: ErrorRecord, language = 'en'): string {
  const title = escapeText(`${record.status} ${record.error}`)
  const english = language === 'en' ? '' : ' lang="en"' // of the texts that are not translated
  return `<!doctype html>
<html lang="${escapeAttribute(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title${english}>${title}</title>
</head>
<body>
<main>
<h1${english}>${title}</h1>
<p>${escapeText(record.message)}</p>
${record.errors ? formatErrors(record.errors) : ''}<dl${english}>
${record.code ? formatTerm('Code', record.code) : ''}${formatTerm('Path', record.path)}${formatTerm('Time', record.timestamp)}</dl>
</main>
</body>
</html>
`
}

function formatErrors(errors: NonNullable<ErrorRecord['errors']>): string {
  const items = errors.map(
    ({ field, detail }) => `<li>${field ? `<strong>${escapeText(field)}</strong>: ` : ''}${escapeText(detail)}</li>\n`,
  )
  return `<ul>\n${items.join('')}</ul>\n`
}

function formatTerm(name: string, value: string): string {
  return `<dt>${name}</dt><dd>${escapeText(value)}</dd>\n`
}
