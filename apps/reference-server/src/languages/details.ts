type Translation = readonly [english: RegExp, texts: Readonly<Record<string, string>>]

const TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  string: { de: 'ein Text', fr: 'un texte', es: 'un texto' },
  number: { de: 'eine Zahl', fr: 'un nombre', es: 'un número' },
  integer: { de: 'eine ganze Zahl', fr: 'un nombre entier', es: 'un número entero' },
  boolean: { de: 'true oder false', fr: 'true ou false', es: 'true o false' },
  object: { de: 'ein Objekt', fr: 'un objet', es: 'un objeto' },
  array: { de: 'eine Liste', fr: 'une liste', es: 'una lista' },
}

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  characters: { de: 'Zeichen', fr: 'caractères', es: 'caracteres' },
  entries: { de: 'Einträge', fr: 'éléments', es: 'elementos' },
  least: { de: 'mindestens', fr: 'au moins', es: 'al menos' },
  most: { de: 'höchstens', fr: 'au plus', es: 'como máximo' },
  ...TYPES,
}

// What says more than its code: limits, types and the words that are allowed. `$1` is the first group as it stands,
// `&1` its translation.
const TRANSLATIONS: readonly Translation[] = [
  [
    /^must have at (least|most) (\d{1,15}) (characters|entries)$/,
    { de: 'muss &1 $2 &3 haben', fr: 'doit avoir &1 $2 &3', es: 'debe tener &1 $2 &3' },
  ],
  [/^must be at (least|most) (-?[\d.]{1,20})$/, { de: 'muss &1 $2 sein', fr: 'doit être &1 $2', es: 'debe ser &1 $2' }],
  [
    /^must be one of (.{1,500})$/s,
    { de: 'muss eines von $1 sein', fr: 'doit être parmi $1', es: 'debe ser uno de $1' },
  ],
  [
    new RegExp(`^must be an? (${Object.keys(TYPES).join('|')})$`),
    { de: 'muss &1 sein', fr: 'doit être &1', es: 'debe ser &1' },
  ],
]

/** What is wrong with one value, in a language; `undefined`: its code has to say it. */
export function detailIn(detail: string, language: string): string | undefined {
  for (const [english, texts] of TRANSLATIONS) {
    const template = texts[language]
    const groups = english.exec(detail)
    if (groups && template !== undefined)
      return template.replace(/([$&])(\d)/g, (_, kind: string, at: string) => {
        const group = groups[Number(at)] ?? ''
        return kind === '&' ? (WORDS[group]?.[language] ?? group) : group
      })
  }
  return undefined
}
