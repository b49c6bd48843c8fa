import type { ResponseContent } from '../engine/action.ts'
import type { ContentKind } from '../engine/route.ts'
import type { Format } from './format.ts'
import { htmlFormat } from './html.ts'
import { png, svg } from './image.ts'
import { pdf } from './invoice.ts'
import { hal, halForms, healthJson, json, linksetJson } from './json.ts'
import { csv, preferredYaml, text, textXml, xml, yaml } from './text.ts'

export interface Formats {
  /** Returns the media types for content, the preferred one first. `record` names the record. */
  typesFor(kind: ContentKind, record?: string): readonly string[]
  /** Returns the format of a type from `typesFor`; JSON if it cannot encode this content. */
  find(type: string, content: ResponseContent): Format
  /** Returns whether the texts of a format may be cached. */
  isPure(type: string): boolean
}

/** Creates the formats of a service: its own in the order of preference, then added ones. */
export function createFormats(added: readonly Format[] = []): Formats {
  const typesFor: Formats['typesFor'] = (kind, record = '') =>
    all
      .filter(({ kinds, records }) => kinds.includes(kind) && (records?.includes(record) ?? true))
      .map(({ type }) => type)
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
    ...added,
  ]
  const byType = new Map(all.map((format) => [format.type, format]))
  return {
    typesFor,
    find(type, content) {
      const format = byType.get(type)
      if (!format?.kinds.includes(content.kind)) return json
      const { records } = format
      return !records || (content.kind === 'record' && records.includes(content.name)) ? format : json
    },
    isPure: (type) => byType.get(type)?.isPure === true,
  }
}
