import type { XmlElement } from '../xml/element.ts'

/**
 * Value of an element without a type (`xs:anyType`): its text if it has no attributes and children,
 * otherwise its content and attributes, or the value of the type in its `xsi:type`, such as
 * `{ $type: '{http://www.w3.org/2001/XMLSchema}int', value: 5 }`.
 */
export type AnyValue =
  | string
  | { readonly $type: string; readonly [key: string]: unknown }
  | {
      /** Text and elements in document order. */
      readonly content: readonly (string | XmlElement)[]
      readonly '@any'?: readonly { readonly uri: string; readonly local: string; readonly value: string }[]
    }
