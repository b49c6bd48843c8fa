import de from './catalogs/de.json' with { type: 'json' }
import en from './catalogs/en.json' with { type: 'json' }
import es from './catalogs/es.json' with { type: 'json' }
import fr from './catalogs/fr.json' with { type: 'json' }
import { byLanguage, type Language, languages } from './locale.ts'

/** Names of the messages. Those of failures begin with their code: `NOT_FOUND.item`. */
export type MessageKey = keyof typeof en

export const messageKeys = listNames(en)

/** Returns the names of the properties of an object that has no others than its type. */
export function listNames<T extends object>(object: T): (keyof T & string)[] {
  return Object.keys(object) as (keyof T & string)[]
}

/** The code that a message begins with. */
type CodeOf<K extends MessageKey> = K extends `${infer C}.${string}` ? C : K

/** A text, or one for each plural category of the parameter `count`. */
type Template = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>

const catalogs: Readonly<Record<Language, Readonly<Record<MessageKey, Template>>>> = { en, de, fr, es }

export type Params = Readonly<Record<string, Param>>

/** A value in a message. A message is written in the same language, a list with commas. */
export type Param = string | number | Message | readonly (string | number | Message)[] | undefined

/** A message in no language yet: plain data, so that it can be stored and written later. */
export interface Message {
  key: MessageKey
  params?: Params
}

export function message<const Key extends MessageKey>(key: Key, params?: Params): Message & { key: Key } {
  return params ? { key, params } : { key }
}

const NO_PARAMS: Params = {}
const PLACEHOLDER = /\{(\w+)\}/
const MAX_VALUE = 200
/** Plural categories of smaller counts are known: ICU takes a microsecond for one. */
const MAX_SMALL = 100

/** Writes a message, or several sentences, in a language. */
export function formatMessage(said: Message | readonly Message[], language: Language): string {
  if (!('key' in said)) return said.map((sentence) => formatMessage(sentence, language)).join(' ')
  const { key, params = NO_PARAMS } = said
  const parts = splitTemplate(toTemplate(catalogs[language][key], language, params))
  let text = parts[0] ?? ''
  for (let index = 1; index < parts.length; index += 2) {
    const param = params[parts[index] ?? '']
    const value = formatParam(param, language)
    // A noun at the beginning of a sentence.
    const isCapital = text === '' && isMessage(param) && param.key.startsWith('noun.')
    text += isCapital ? value.charAt(0).toUpperCase() + value.slice(1) : value
    text += parts[index + 1] ?? ''
  }
  return text
}

const splitTemplates = new Map<string, readonly string[]>()

/** Returns the texts of a template with the names of its parameters in between, split once. */
function splitTemplate(template: string): readonly string[] {
  const stored = splitTemplates.get(template)
  if (stored) return stored
  const parts = template.split(PLACEHOLDER)
  splitTemplates.set(template, parts)
  return parts
}

/** Returns the text of an error for `errors()`: of its message, else of its code. */
export function localize(
  code: string,
  language: string,
  { message: said }: Readonly<Record<string, unknown>>,
): string | undefined {
  // English is what the error itself says, and may say more than its code.
  const supported = language === 'en' ? undefined : languages.find((name) => name === language)
  if (!supported) return undefined
  if (isMessage(said) || (Array.isArray(said) && said.every(isMessage))) return formatMessage(said, supported)
  return isMessageKey(code) ? formatMessage({ key: code }, supported) : undefined
}

const codes = new Map(messageKeys.map((key) => [key, key.split('.', 1)[0] ?? key]))

/** Returns the code that a message begins with: `NOT_FOUND` of `NOT_FOUND.item`. */
export function codeOfKey<K extends MessageKey>(key: K): CodeOf<K> {
  return (codes.get(key) ?? key) as CodeOf<K>
}

export function isMessageKey(key: string): key is MessageKey {
  return Object.hasOwn(en, key)
}

/** Whether a value, such as one that was stored as JSON, is a message. */
export function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'key' in value && Object.hasOwn(en, String(value.key))
}

const PLAIN = /^[\x20-\x7e]{0,80}$/

/** Shortens client input to one line, so that a message can repeat it. */
export function quoteInput(text: string): string {
  if (PLAIN.test(text)) return text
  const shown = text.replace(/\p{C}/gu, '�')
  return shown.length > 80 ? `${shown.slice(0, 79)}…` : shown
}

function toTemplate(template: Template, language: Language, { count }: Params): string {
  if (typeof template === 'string') return template
  return template[selectPlural(language, Number(count))] ?? template.other ?? ''
}

function formatParam(value: unknown, language: Language): string {
  if (typeof value === 'string') return value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE - 1)}…` : value
  if (Array.isArray(value)) return value.map((item) => formatParam(item, language)).join(', ')
  if (isMessage(value)) return formatMessage(value, language)
  return formatParam(String(value), language)
}

const pluralRules = byLanguage((language) => new Intl.PluralRules(language))
const smallPlurals = byLanguage((language) =>
  Array.from({ length: MAX_SMALL }, (_, count) => pluralRules[language].select(count)),
)

function selectPlural(language: Language, count: number): Intl.LDMLPluralRule {
  return smallPlurals[language][count] ?? pluralRules[language].select(count)
}

/** Returns the message of a duration, in its largest whole unit: `2 minutes`. */
export function durationMessage(ms: number): Message {
  if (ms < 1000) return message('duration.milliseconds', { count: ms })
  const seconds = Math.ceil(ms / 1000)
  if (seconds % 3600 === 0) return message('duration.hours', { count: seconds / 3600 })
  if (seconds % 60 === 0) return message('duration.minutes', { count: seconds / 60 })
  return message('duration.seconds', { count: seconds })
}
