import type { ContentKind } from '../resource/route.ts'
import { csv } from './csv.ts'
import type { Format } from './format.ts'
import { htmlFormat } from './html.ts'
import { png, svg } from './image.ts'
import { pdf } from './invoice/pdf.ts'
import { hal, halForms, json } from './json.ts'
import { text } from './text.ts'
import { xml } from './xml.ts'

/** Every representation, the one that we like best first. A new one is one entry here. */
const all: readonly Format[] = [json, hal, halForms, xml, csv, text, htmlFormat(typesFor), pdf, svg, png]

const byType = new Map(all.map((format) => [format.type, format]))

/** The types that contents of a kind can be written as; `record` names the record. */
export function typesFor(kind: ContentKind, record?: string): readonly string[] {
  const can = ({ kinds, records }: Format): boolean =>
    kinds.includes(kind) && (records === undefined || (record !== undefined && records.includes(record)))
  return all.filter(can).map(({ type }) => type)
}

/** The format of a type that was chosen among those of `typesFor`. */
export function formatOf(type: string): Format {
  return byType.get(type) ?? json
}
