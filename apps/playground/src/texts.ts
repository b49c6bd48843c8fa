import { type TextCatalog, texts } from '../../reference-server/src/index.ts'
import { de } from './texts/de.ts'
import { en } from './texts/en.ts'
import { es } from './texts/es.ts'
import { fr } from './texts/fr.ts'

export type DemoTextKey = keyof typeof en

/** The texts of the demo. */
export const demoCatalog: TextCatalog<DemoTextKey> = { en, de, fr, es }

/** A text of the demo in a language, its `{names}` filled in. */
export const demoText = texts(demoCatalog)
