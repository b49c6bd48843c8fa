import type { FormProperty } from '@svc/hal'
import type { createElement, Html } from '../html.ts'

export declare function formField(
  create: typeof createElement,
  form: string,
  property: FormProperty,
  current: unknown,
): Html

/** What is read of a control: an element of the DOM has it. */
export interface Control {
  localName: string
  name: string
  type?: string
  value: string
  placeholder?: string
  readOnly?: boolean
  multiple?: boolean
  selectedOptions?: Iterable<{ value: string }>
}

export declare function valuesOf(form: { elements: Iterable<Control> }, method: string): Record<string, unknown>
