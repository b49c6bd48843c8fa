import ts from 'typescript'

/** One way into a package, with what it exports, as an API report lists it. */
export interface ApiEntry {
  /** `@svc/ratelimit/stores/redis`. */
  specifier: string
  declarations: ApiDeclaration[]
}

export type ApiKind = 'function' | 'class' | 'constant' | 'options' | 'type'

/** Declaration of one exported name. */
export interface ApiDeclaration {
  name: string
  kind: ApiKind
  /** Whether it is the default export; with `isDefaultOnly` it has no other name. */
  isDefault: boolean
  isDefaultOnly: boolean
  doc: Doc
  /** Empty if the members say everything. */
  signature: string
  members: ApiMember[]
  /** Names that the declaration mentions. */
  mentions: string[]
}

export interface ApiMember {
  name: string
  type: string
  isOptional: boolean
  doc: Doc
}

export interface Doc {
  text: string
  defaultValue: string | undefined
  examples: string[]
}

type Declaration = ts.Statement & { name?: ts.Identifier }

/** Parses an API report: Markdown with a block of declarations for each entry. */
export function parseReport(report: string): ApiEntry[] {
  const sections = [...report.matchAll(/^## (.+)\n\n```ts\n([\s\S]*?)^```$/gm)]
  return sections.map(([, specifier = '', code = '']) => ({ specifier, declarations: parseDeclarations(code) }))
}

function parseDeclarations(code: string): ApiDeclaration[] {
  const source = ts.createSourceFile('report.d.ts', code, ts.ScriptTarget.Latest, true)
  const groups = new Map<string, { nodes: Declaration[]; texts: Set<string>; isDefault: boolean; isNamed: boolean }>()
  for (const node of source.statements) {
    const name = readName(node)
    const group = groups.get(name) ?? { nodes: [], texts: new Set(), isDefault: false, isNamed: false }
    const isDefault = node.getFullText().trimStart().startsWith('// exported as default')
    if (!group.texts.has(node.getText())) group.nodes.push(node)
    group.texts.add(node.getText())
    group.isDefault ||= isDefault
    group.isNamed ||= !isDefault
    groups.set(name, group)
  }
  return [...groups].map(([name, { nodes, isDefault, isNamed }]) => ({
    ...describe(isNamed ? name : 'default', nodes),
    isDefault,
    isDefaultOnly: !isNamed,
  }))
}

function readName(node: Declaration): string {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations[0]?.name.getText() ?? ''
  return node.name?.text ?? ''
}

function describe(name: string, nodes: readonly Declaration[]): Omit<ApiDeclaration, 'isDefault' | 'isDefaultOnly'> {
  const [value] = [...nodes].sort((a, b) => Number(isTypeOnly(a)) - Number(isTypeOnly(b)))
  const holder = nodes.find((node) => ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node))
  const members = holder ? (holder as ts.InterfaceDeclaration | ts.ClassDeclaration).members : []
  const listed = [...members].filter((member) => member.name && !ts.isConstructorDeclaration(member))
  return {
    name,
    kind: value ? getKind(value) : 'type',
    doc: readDoc(value),
    signature: nodes.map(writeSignature).filter(Boolean).join('\n'),
    members: listed.map(readMember),
    mentions: [...new Set(nodes.flatMap(mentionsIn))].filter((each) => each !== name),
  }
}

function isTypeOnly(node: ts.Node): boolean {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
}

function getKind(node: Declaration): ApiKind {
  if (ts.isFunctionDeclaration(node)) return 'function'
  if (ts.isClassDeclaration(node)) return 'class'
  if (ts.isVariableStatement(node)) return 'constant'
  return /(?:Options|Limits)$/.test(readName(node)) ? 'options' : 'type'
}

// An interface whose members are all listed needs its first line only where it has parents or
// parameters.
function writeSignature(node: Declaration): string {
  const text = node
    .getText()
    .replace(/^declare /, '')
    .replace(/;$/, '')
  if (ts.isFunctionDeclaration(node)) return functionSignature(node)
  if (!ts.isInterfaceDeclaration(node) && !ts.isClassDeclaration(node)) return withoutComments(text)
  const head = text.slice(0, text.indexOf('{')).trim()
  const unlisted = node.members.filter((member) => !member.name || ts.isConstructorDeclaration(member))
  if (unlisted.length === 0) return /\b(?:extends|implements)\b|</.test(head) ? head : ''
  return `${head} {\n${unlisted.map((member) => `  ${withoutComments(member.getText())}`).join('\n')}\n}`
}

function functionSignature(node: ts.FunctionDeclaration): string {
  const types = node.typeParameters?.length ? `<${node.typeParameters.map((each) => each.getText()).join(', ')}>` : ''
  const parameters = node.parameters.map((each) => withoutComments(each.getText()))
  const result = node.type ? `: ${node.type.getText()}` : ''
  const line = `function ${node.name?.text}${types}(${parameters.join(', ')})${result}`
  if (line.length <= 90) return line
  return `function ${node.name?.text}${types}(\n${parameters.map((each) => `  ${each},\n`).join('')})${result}`
}

function readMember(member: ts.ClassElement | ts.TypeElement): ApiMember {
  const isMethod = ts.isMethodDeclaration(member) || ts.isMethodSignature(member)
  const type = isMethod
    ? `(${member.parameters.map((each) => each.getText()).join(', ')}) => ${member.type?.getText() ?? 'void'}`
    : ((member as ts.PropertySignature).type?.getText() ?? '')
  const isOptional = 'questionToken' in member && member.questionToken !== undefined
  return { name: member.name?.getText() ?? '', type: withoutComments(type), isOptional, doc: readDoc(member) }
}

function readDoc(node: ts.Node | undefined): Doc {
  const comment = node && ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1)
  const tags = comment?.tags ?? []
  const readTags = (name: string): string[] =>
    tags
      .filter(({ tagName }) => tagName.text === name)
      .map((tag) => ts.getTextOfJSDocComment(tag.comment)?.trim() ?? '')
  const text = ts.getTextOfJSDocComment(comment?.comment) ?? ''
  return {
    text: text.replace(/\{@link (\S+?)\}/g, '`$1`').trim(),
    defaultValue: readTags('defaultValue')[0]?.replace(/\s+/g, ' '),
    examples: readTags('example'),
  }
}

function mentionsIn(node: ts.Node): string[] {
  const names: string[] = []
  const visit = (each: ts.Node): void => {
    if (ts.isTypeReferenceNode(each) || ts.isExpressionWithTypeArguments(each))
      names.push(each.getText().replace(/<.*/s, ''))
    ts.forEachChild(each, visit)
  }
  visit(node)
  return names
}

function withoutComments(text: string): string {
  return text.replace(/^ *\/\*\*[\s\S]*?\*\/\n?/gm, '').replace(/\/\*\*[\s\S]*?\*\/\s*/g, '')
}
