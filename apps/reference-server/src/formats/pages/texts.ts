import { type Language, numberIn } from '../../messages/locale.ts'
import de from './texts/de.json' with { type: 'json' }
import en from './texts/en.json' with { type: 'json' }
import es from './texts/es.json' with { type: 'json' }
import fr from './texts/fr.json' with { type: 'json' }

export type Values = Readonly<Record<string, string | number>>

/** Texts by their keys, the same keys in every language. */
export type Catalogue<K extends string> = Readonly<Record<Language, Readonly<Record<K, string>>>>

export type TextKey = keyof typeof en

/** The texts of the pages. */
export const catalogue: Catalogue<TextKey> = { en, de, fr, es }

/** A text of the pages in a language, its `{names}` filled in. */
export const text = texts(catalogue)

/** Creates the function that reads a catalog. */
export function texts<K extends string>(from: Catalogue<K>): (language: Language, key: K, values?: Values) => string {
  return (language, key, values) => {
    const message = from[language][key]
    return values
      ? message.replace(/\{(\w+)\}/g, (whole, name: string) => filled(values[name] ?? whole, language))
      : message
  }
}

function filled(value: string | number, language: Language): string {
  return typeof value === 'number' ? numberIn(language, value) : value
}
