import type { XmlElement } from '../xml/element.ts'
import type { SimpleType } from './simple-type.ts'
import { violation } from './violation.ts'

/** The identifiers in an element, and the references to them (XSD part 2 §3.3.8 and §3.3.9). */
export class Identifiers {
  readonly #ids = new Set<string>()
  readonly #references: { readonly node: XmlElement; readonly id: string }[] = []

  /**
   * Notes a value of an element or of an attribute. Throws a fault if another one has the same
   * identifier.
   */
  note(node: XmlElement, { identity }: SimpleType, value: unknown): void {
    if (identity === undefined) return
    for (const id of Array.isArray(value) ? value : [value]) {
      if (identity === 'IDREF') this.#references.push({ node, id: String(id) })
      else if (this.#ids.has(String(id))) throw violation(node, 'has an ID that the message has twice')
      else this.#ids.add(String(id))
    }
  }

  /** Throws a fault if a reference has no element to refer to. */
  checkReferences(): void {
    for (const { node, id } of this.#references) {
      if (!this.#ids.has(id)) throw violation(node, 'refers to an ID that no element has')
    }
  }
}
