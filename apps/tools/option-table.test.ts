import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { optionTable, shownDefault, shownType } from './option-table.ts'

describe('a type is shown without what only a compiler needs', () => {
  test.each([
    ['{\n  self?: string\n  next?: string | undefined\n}', '{ self?: string; next?: string | undefined }'],
    ['readonly string[]', 'string[]'],
    ['(req: Req, res: ServerResponse) => MaybePromise<number>', '(req, res) => number | Promise<number>'],
    ['(req: Req) => MaybePromise<string | undefined>', '(req) => string | undefined | Promise<string | undefined>'],
    ["NoInfer<V> | 'latest'", "V | 'latest'"],
    ['Readonly<Record<string, Retired<NoInfer<V>>>>', 'Record<string, Retired>'],
    ['(params: Readonly<Record<string, unknown>>) => string', '(params) => string'],
    ['LimitOptions<Req>[]', 'LimitOptions[]'],
    ['{ [K in keyof E]: EmbedDefinition<T, C, E[K]> }', 'Record<string, EmbedDefinition>'],
    ['{\n  /** Asked. */\n  when?: boolean\n}', '{ when?: boolean }'],
    ['L', 'object'],
  ])('%j: %j', (text, shown) => {
    expect(shownType(text)).toBe(shown)
  })
})

describe('a default is shown as code where it is a value', () => {
  test.each([
    ["'retry'", "`'retry'`"],
    ["'refuse' where a key is required, else 'run'", "`'refuse'` where a key is required, else `'run'`"],
    ["['POST', 'PATCH']", "`['POST', 'PATCH']`"],
    ['100', '`100`'],
    ['1,000', '1,000'],
    ['67108864, 64 MiB', '`67108864`, 64 MiB'],
    ['memory(), for one process', '`memory()`, for one process'],
    ['what `trust proxy` says', 'what `trust proxy` says'],
    ['Date.now', '`Date.now`'],
    ['nobody', 'nobody'],
  ])('%j: %j', (text, shown) => {
    expect(shownDefault(text)).toBe(shown)
  })
})

test('a table has a row for each option, in the order of the file, what was taken over first', () => {
  const table = renderTable(`
    type Style = 'x' | 'y'
    interface Base {
      /** The quota: a rate | a number. */
      rate: string
    }
    interface Options<V extends string> extends Partial<Base> {
      /**
       * Which one.
       * Or both.
       *
       * More of it. @defaultValue 'x'
       */
      style?: Style | undefined
      missing: (each: Map<string, Style>, at: number) => void
      read?(req: Req): MaybePromise<string>
      next: V
    }`)
  expect(table).toEqual([
    '| Name | Type | Default | Meaning |',
    '|---|---|---|---|',
    '| `rate` | `string` | none | The quota: a rate \\| a number |',
    "| `style` | `'x' \\| 'y'` | `'x'` | Which one. Or both |",
    '| `missing` | `(each, at) => void` | required |  |',
    '| `read` | `(req) => string \\| Promise<string>` | none |  |',
    '| `next` | `string` | required |  |',
  ])
})

function renderTable(source: string): string[] {
  const host = ts.createCompilerHost({})
  const file = ts.createSourceFile('options.ts', source, ts.ScriptTarget.Latest, true)
  const program = ts.createProgram(
    ['options.ts'],
    { strict: true },
    {
      ...host,
      getSourceFile: (name, target) => (name === 'options.ts' ? file : host.getSourceFile(name, target)),
    },
  )
  const checker = program.getTypeChecker()
  const declaration = file.statements.findLast(ts.isInterfaceDeclaration)
  const symbol = declaration && checker.getSymbolAtLocation(declaration.name)
  return symbol ? optionTable(symbol, checker) : []
}
