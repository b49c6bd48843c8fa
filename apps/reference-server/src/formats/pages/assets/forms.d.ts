import type { FormProperty } from '@svc/hal'
import type { createElement, Html } from '../html.ts'

export declare function formField(
  create: typeof createElement,
  form: string,
  property: FormProperty,
  current: unknown,
): Html
