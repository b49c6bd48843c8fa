import type { ResponseContent } from '../engine/action-result.ts'
import type { ContentKind } from '../engine/route.ts'
import { csv } from './csv.ts'
import type { Format } from './format.ts'
import { htmlFormat } from './html.ts'
import { png, svg } from './image.ts'
import { pdf } from './invoice/pdf.ts'
import { hal, halForms, healthJson, json, linksetJson } from './json.ts'
import { preferredYaml, text, textXml, xml, yaml } from './text.ts'

/** Every representation, the one that we like best first. A new one is one entry here. */
const all: readonly Format[] = [
  linksetJson,
  preferredYaml,
  json,
  hal,
  halForms,
  xml,
  textXml,
  csv,
  // Before plain text: browsers for terminals send both with the same weight, and want links.
  htmlFormat(typesFor),
  text,
  pdf,
  svg,
  png,
  healthJson,
  yaml,
]

const byType = new Map(all.map((format) => [format.type, format]))

/** The types that contents of a kind can be written as; `record` names the record. */
export function typesFor(kind: ContentKind, record?: string): readonly string[] {
  return all.filter((format) => canWrite(format, kind, record)).map(({ type }) => type)
}

function canWrite({ kinds, records }: Format, kind: ContentKind, record: string | undefined): boolean {
  return kinds.includes(kind) && (records === undefined || (record !== undefined && records.includes(record)))
}

/** Whether the texts of a format may be kept. */
export function isPure(type: string): boolean {
  return byType.get(type)?.isPure === true
}

/** The format of a type that was chosen among those of `typesFor`; JSON where it cannot write this content after all. */
export function formatOf(type: string, content: ResponseContent): Format {
  const format = byType.get(type)
  const record = content.kind === 'record' ? content.name : undefined
  return format && canWrite(format, content.kind, record) ? format : json
}
