import { mediaType, notAcceptable } from '@svc/negotiate'
import type { Request, Response } from 'express'

const TYPES = ['application/hal+json', 'application/json', 'text/csv'] as const

/** One function per format: only the one that the client prefers is called. */
export type Formats = Record<(typeof TYPES)[number], () => string>

/** Sends the format that `Accept` prefers, or throws 406. */
export function send(req: Request, res: Response, formats: Formats): void {
  const type = mediaType(req, TYPES)
  if (!type) throw notAcceptable(TYPES)
  res.vary('Accept').type(type).send(formats[type]())
}

/** Formats rows as CSV (RFC 4180), the names of the columns first. */
export function toCsv<Row extends object>(columns: readonly (keyof Row & string)[], rows: readonly Row[]): string {
  const lines = rows.map((row) => columns.map((column) => toCell(row[column])))
  return [columns, ...lines].map((cells) => `${cells.join()}\r\n`).join('')
}

function toCell(value: unknown): string {
  return typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value)
}
