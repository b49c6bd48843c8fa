/** Languages of pages and messages. The first one is the default. */
export const languages = ['en', 'de', 'fr', 'es'] as const

export type Language = (typeof languages)[number]

export function byLanguage<T>(create: (language: Language) => T): Readonly<Record<Language, T>> {
  return { en: create('en'), de: create('de'), fr: create('fr'), es: create('es') }
}

/** Formats a number for a language: `9,132`. */
export function numberIn(language: Language, value: number): string {
  return formats[language].number.format(value)
}

/** Formats an amount of money for a language; `undefined` for other values. */
export function moneyIn(language: Language, amount: unknown, currency: unknown): string | undefined {
  if (!/^-?\d{1,13}(?:\.\d{1,2})?$/.test(String(amount)) || !/^[A-Z]{3}$/.test(String(currency))) return undefined
  return new Intl.NumberFormat(language, { style: 'currency', currency: String(currency) }).format(Number(amount))
}

const DATE = /^\d{4}-\d\d-\d\d$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/

/** Formats a date or time in UTC; `undefined` for other text. */
export function momentIn(language: Language, text: string): string | undefined {
  const { date, moment } = formats[language]
  const format = DATE.test(text) ? date : MOMENT.test(text) ? moment : undefined
  const time = Date.parse(text)
  return format && !Number.isNaN(time) ? format.format(time) : undefined
}

const DAY = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const
const TIME = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const

// Creating a format takes longer than using it.
const formats = byLanguage((language) => ({
  number: new Intl.NumberFormat(language, { maximumFractionDigits: 20 }),
  date: new Intl.DateTimeFormat(language, DAY),
  moment: new Intl.DateTimeFormat(language, { ...DAY, ...TIME }),
}))
