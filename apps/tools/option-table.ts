import ts from 'typescript'

/**
 * The Markdown table of the options that an interface has: names, types, defaults and meanings as
 * the types say them.
 */
export function optionTable(symbol: ts.Symbol, checker: ts.TypeChecker): string[] {
  const options = checker.getDeclaredTypeOfSymbol(symbol).getProperties().sort(inOrderOfFile)
  const rows = options.map((option) => {
    const cells = [
      `\`${option.name}\``,
      code(formatType(option, checker)),
      readDefault(option),
      readMeaning(option, checker),
    ]
    return `| ${cells.map((cell) => cell.replace(/(?<!\\)\|/g, '\\|')).join(' | ')} |`
  })
  return ['| Name | Type | Default | Meaning |', '|---|---|---|---|', ...rows]
}

/** A default as a table shows it: values as code, words as they are. */
export function shownDefault(text: string): string {
  const values =
    /\[[^\]]*\]|'[^']*'|^(?:\{[^}]*\}|-?\d[\d_.]*|true|false|[A-Za-z.]+\([^)]*\)|[a-z]+[A-Z]\w*|Date\.now)(?=$|[,;:] )/g
  return text.includes('`') ? text : text.replace(values, '`$&`')
}

/** Formats a type for a table: omits what only a compiler needs. */
export function shownType(text: string): string {
  const bare = text.replace(/\/\*\*[\s\S]*?\*\/\s*/g, '')
  // Properties on lines of their own need no separator in the source.
  const separated = bare.replace(/(?<![{(<|&=>,;])\n\s*(?=[\w'"[]+\??:)/g, '; ')
  let shown = separated.replace(/\s+/g, ' ').replace(/^\| /, '')
  for (let before = ''; before !== shown; ) {
    before = shown
    shown = shown
      .replace(/\bMaybePromise<((?:[^<>]|<[^<>]*>)*)>/g, '$1 | Promise<$1>')
      .replace(/\b(?:NoInfer|NonNullable|Readonly)<((?:[^<>]|<[^<>]*>)*)>/g, '$1')
      .replace(/\(((?:\w+\??: [^(),]+(?:<[^()]*?>)?(?:, )?)+)\) =>/g, (_, list: string) => `(${listNames(list)}) =>`)
      .replace(/\breadonly /g, '')
      .replace(/<(?:[A-Z]|Req)(?:, [A-Z](?:\[[A-Z]\])?)*>/g, '')
      .replace(/\{ \[\w+ in keyof \w+\]\??: (.*?)(?:\[K\])? \}/g, 'Record<string, $1>')
      .replace(/^[A-Z]$/, 'object')
  }
  return shown
}

// What an interface takes over from one before it in the same file comes first, as it does there.
function inOrderOfFile({ declarations: [first] = [] }: ts.Symbol, { declarations: [other] = [] }: ts.Symbol): number {
  return first && first.getSourceFile() === other?.getSourceFile() ? first.pos - other.pos : 0
}

function listNames(parameters: string): string {
  return parameters.replace(/(\w+)\??: [^,<]+(?:<[^>]*>+)?/g, '$1')
}

// Names of a few words are shown as the words, which a reader need not look up; that an option may
// be `undefined`, not.
function formatType(option: ts.Symbol, checker: ts.TypeChecker): string {
  const declaration = option.declarations?.[0]
  if (declaration && ts.isMethodSignature(declaration)) return shownType(formatMethod(declaration))
  if (!declaration || !ts.isPropertySignature(declaration) || !declaration.type) return ''
  const nodes = ts.isUnionTypeNode(declaration.type) ? declaration.type.types : [declaration.type]
  const texts = nodes.map((node) => {
    const type = checker.getTypeFromTypeNode(node)
    const isText = type.isTypeParameter() && type.getConstraint()?.flags === ts.TypeFlags.String
    return listWords(type) ?? (isText ? 'string' : node.getText())
  })
  return shownType(texts.filter((text) => text !== 'undefined').join(' | '))
}

function formatMethod({ parameters, type }: ts.MethodSignature): string {
  return `(${parameters.map((parameter) => parameter.getText()).join(', ')}) => ${type?.getText() ?? 'unknown'}`
}

function listWords(type: ts.Type): string | undefined {
  const words = type.isUnion() ? type.types.flatMap((each) => (each.isStringLiteral() ? `'${each.value}'` : [])) : []
  return type.isUnion() && words.length === type.types.length ? words.join(' | ') : undefined
}

function readDefault(option: ts.Symbol): string {
  const tag = option.getJsDocTags().find(({ name }) => name === 'defaultValue')
  if (tag) return shownDefault(ts.displayPartsToString(tag.text).replace(/\s+/g, ' ').trim())
  return option.flags & ts.SymbolFlags.Optional ? 'none' : 'required'
}

function readMeaning(option: ts.Symbol, checker: ts.TypeChecker): string {
  const text = ts.displayPartsToString(option.getDocumentationComment(checker))
  return text.split('\n\n')[0]?.replace(/\s+/g, ' ').trim().replace(/\.$/, '') ?? ''
}

function code(text: string): string {
  return text && `\`${text}\``
}
