import { mediaType, notAcceptable } from '@svc/negotiate'
import type { Request, Response } from 'express'

const FORMATS = ['application/hal+json', 'application/json', 'text/csv'] as const

export type Format = (typeof FORMATS)[number]

/** Returns the format that `Accept` prefers, or throws 406. Call it before anything is changed. */
export function selectFormat(req: Request): Format {
  const format = mediaType(req, FORMATS)
  if (!format) throw notAcceptable(FORMATS)
  return format
}

/** Sends a response in one format: only the function of this format is called. */
export function send(res: Response, format: Format, bodies: Record<Format, () => string>): void {
  res.vary('Accept').type(format).send(bodies[format]())
}

/** Formats rows as CSV (RFC 4180), the names of the columns first. */
export function toCsv<Row extends object>(columns: readonly (keyof Row & string)[], rows: readonly Row[]): string {
  const lines = rows.map((row) => columns.map((column) => toCell(row[column])))
  return [columns, ...lines].map((cells) => `${cells.join()}\r\n`).join('')
}

function toCell(value: unknown): string {
  return typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value)
}
