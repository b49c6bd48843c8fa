import type { Content, createElement, Html } from '../html.ts'

type Headers = Readonly<Record<string, string>>

/** Group and note of each header, the names of the groups, and the words around them. */
export interface MessageLabels {
  notes: Readonly<Record<string, readonly [group: string, note: string]>>
  groups: Readonly<Record<string, string>>
  words: Readonly<Record<'request' | 'response' | 'byteCount' | 'milliseconds', string>>
}

/** A call for a shell or a program. */
export interface HttpCall {
  method?: string
  url: string
  /** `name:password` */
  user?: string | undefined
  fields: Headers
  body?: string | undefined
}

type CreateElement = typeof createElement

export declare function toTone(status: number): 'good' | 'warn' | 'bad'
export declare function methodTag(create: CreateElement, method: string): Html
export declare function requestMessage(
  create: CreateElement,
  request: { method: string; target: string; headers: Headers },
  labels: MessageLabels,
  body?: Content,
): Html
export declare function responseMessage(
  create: CreateElement,
  response: { status: number; reason: string; headers: Headers; notes: readonly string[] },
  labels: MessageLabels,
  body?: Content,
): Html
export declare function formatCurl(call: HttpCall): string
export declare function formatFetch(call: HttpCall): string
