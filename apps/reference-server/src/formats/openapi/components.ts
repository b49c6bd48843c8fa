import type { RenderContext } from '../../engine/compiled-collection.ts'
import type { Action } from '../../engine/route.ts'
import type { Formats } from '../formats.ts'

/** Sections of `components`. */
type Section = 'schemas' | 'responses' | 'parameters' | 'requestBodies' | 'headers'

export interface Reference {
  $ref: string
}

/** What operations share: each part is written once and referenced by name. */
export interface Components {
  /** Adds a part. Throws a `TypeError` if another one has the name. */
  add(section: Section, name: string, part: object): Reference
  readonly sections: Readonly<Record<Section, Record<string, object>>>
}

/** An action, where it is, and what its description is built with. */
export interface Operation {
  method: string
  path: string
  action: Action
  /** Context that examples are rendered in. */
  context: RenderContext
  components: Components
  formats: Pick<Formats, 'typesFor'>
}

/** Creates the components of a document. */
export function createComponents(): Components {
  const sections = {
    schemas: {},
    responses: {},
    parameters: {},
    requestBodies: {},
    headers: {},
  } as Components['sections']
  const texts = new Map<string, string>()
  return {
    sections,
    add(section, name, part) {
      const key = `${section}/${name}`
      const text = JSON.stringify(part)
      if ((texts.get(key) ?? text) !== text) throw new TypeError(`openapi: there are two components ${key}`)
      texts.set(key, text)
      sections[section][name] = part
      return { $ref: `#/components/${key}` }
    },
  }
}

/** Points to a schema of the document. */
export function schemaReference(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` }
}
