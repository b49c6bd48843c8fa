import remedies from './codes.json' with { type: 'json' }

/** Remedies of a client for errors. Their texts are in the message catalogs. */
type Remedy = keyof typeof remedies

/** Every code that the service sends in an Error record. Other codes do not compile. */
export type Code = { [R in Remedy]: keyof (typeof remedies)[R] }[Remedy]

interface CodeInfo {
  /** The status that it is sent with, unless a rule of HTTP asks for another one. */
  status: number
  remedy: Remedy
}

const entries = (Object.keys(remedies) as Remedy[]).flatMap((remedy) =>
  Object.entries(remedies[remedy]).map(([code, status]): [string, CodeInfo] => [code, { status, remedy }]),
)

/** Status and remedy of each code, in alphabetical order. */
export const CODES = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) as Readonly<
  Record<Code, CodeInfo>
>

/** Codes of single values in `errors`, in addition to those above. */
export const VALUE_CODES = ['FORMAT', 'LENGTH', 'RANGE', 'READ_ONLY', 'REQUIRED', 'TYPE', 'UNKNOWN', 'VALUE'] as const

export type ValueCode = (typeof VALUE_CODES)[number]
