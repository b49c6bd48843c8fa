import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Contract, parseContract, SoapFault, soapService } from '@svc/soap-envelope'
import { soapClient } from '@svc/soap-envelope/client'
import { writeTypes } from '@svc/soap-envelope/types'
import { afterAll, describe, expect, test } from 'vitest'
import { builtInSchema } from './schema/built-in-schemas.ts'
import { relativeTo } from './schema/documents.ts'
import { CONTENTS, PACKAGINGS } from './testing/corpus/contracts.ts'
import { comparable, createSample, type Fullness, parse, writeSource } from './testing/corpus/sample.ts'
import { imported, NS, plain, rpc, type Shape, XSD } from './testing/corpus/shapes.ts'
import type { Message } from './wsdl/messages.ts'
import type { Operation } from './wsdl/operations.ts'
import { listContent } from './xml/element.ts'

// Contracts of our own writing, one for each shape that real ones have. Samples are made from the
// model of the schema, which is internal: these tests run on the source only.
const shapes: readonly Shape[] = [
  ...PACKAGINGS,
  ...CONTENTS.map(([name, ...content]) => plain(`document: ${name}`, ...content)),
  ...CONTENTS.filter((_, at) => at % 3 === 0).map(([name, ...content]) => rpc(`rpc: ${name}`, ...content)),
  ...CONTENTS.filter((_, at) => at % 5 === 1).map(([name, ...content]) => imported(`imported: ${name}`, ...content)),
]

const folder = mkdtempSync(join(tmpdir(), 'svc-corpus-'))
const typesFolder = mkdtempSync(join(fileURLToPath(new URL('..', import.meta.url)), '.corpus-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
  rmSync(typesFolder, { recursive: true })
})

function load({ documents, main, options = {} }: Shape): Contract {
  const resolveImport = (name: string): string => {
    const text = documents[name]
    if (text === undefined) throw new TypeError(`not in the corpus: ${name}`)
    return text
  }
  return parseContract(documents[main] ?? '', { name: main, resolveImport, ...options })
}

const FULLNESS: readonly Fullness[] = ['least', 'full']

const sample = (message: Message, { schema }: Contract, fullness: Fullness): unknown => {
  const values = message.parts.map(({ name, declaration }) => [name, createSample(declaration, schema.types, fullness)])
  return message.parts.length === 1
    ? values[0]?.[1]
    : message.parts.length === 0
      ? undefined
      : Object.fromEntries(values)
}

const headersOf = ({ headers }: Message, { schema }: Contract): Record<string, unknown> =>
  Object.fromEntries(headers.map(({ name, declaration }) => [name, createSample(declaration, schema.types, 'full')]))

const bodyOf = (xml: string) => parse(`<body>${xml}</body>`).children

test('has at least 120 contracts, each of its own name', () => {
  expect(new Set(shapes.map(({ name }) => name)).size).toBe(shapes.length)
  expect(shapes.length).toBeGreaterThanOrEqual(120)
})

describe.each(shapes)('$name', (shape) => {
  test('samples round-trip exactly, and are valid for xmllint', () => {
    const contract = load(shape)
    const documents: string[] = []
    for (const operation of contract.operations.values()) {
      for (const message of [operation.input, operation.output].filter((one) => one !== undefined)) {
        for (const fullness of FULLNESS) {
          const value = sample(message, contract, fullness)
          const xml = message.encode(value)
          const decoded = message.decode(bodyOf(xml))
          expect(comparable(decoded)).toEqual(comparable(value))
          expect(message.encode(decoded)).toBe(xml)
          documents.push(...bodyOf(xml).map((_, at) => elementTexts(xml)[at] ?? ''))
        }
      }
    }
    expect(lint(shape, documents)).toEqual([])
  })

  test('a client of it calls a service of it', async () => {
    const contract = load(shape)
    const received: unknown[] = []
    const handlers = [...contract.operations.values()].map((operation) => [
      operation.name,
      (input: unknown, context: { inputHeaders: object; outputHeaders: object }) => {
        received.push(comparable(input), comparable(context.inputHeaders))
        Object.assign(context.outputHeaders, operation.output && headersOf(operation.output, contract))
        return operation.output && sample(operation.output, contract, 'full')
      },
    ])
    const service = soapService({
      wsdl: contract,
      operations: Object.fromEntries(handlers),
      onFault: (_, { error }) => {
        throw error
      },
    })
    const client = soapClient(contract, { endpoint: 'http://service', fetch: fetchFrom(service) })
    for (const operation of contract.operations.values()) {
      const input = sample(operation.input, contract, 'full')
      const inputHeaders = headersOf(operation.input, contract)
      const reply = await client.send(operation.name, input, { inputHeaders })
      await service.idle()
      expect(received.splice(0)).toEqual([comparable(input), comparable(inputHeaders)])
      expect(comparable(reply.output)).toEqual(
        comparable(operation.output && sample(operation.output, contract, 'full')),
      )
      expect(reply.outputHeaders).toEqual(operation.output ? headersOf(operation.output, contract) : {})
      await checkFaults(operation, contract)
    }
  })
})

/**
 * Each declared fault is thrown by a handler with its value, and caught by the client with the
 * same.
 */
async function checkFaults(operation: Operation, contract: Contract): Promise<void> {
  for (const { name, declaration } of operation.faults) {
    const value = createSample(declaration, contract.schema.types, 'full')
    const fail = (): never => {
      throw new SoapFault({ code: 'Sender', reason: 'declared', declared: { name, value } })
    }
    const operations = Object.fromEntries([...contract.operations.keys()].map((key) => [key, fail]))
    const service = soapService({ wsdl: contract, operations })
    const client = soapClient(contract, { endpoint: 'http://service', fetch: fetchFrom(service) })
    const error = await client.call(operation.name, sample(operation.input, contract, 'least')).catch((wrong) => wrong)
    expect(error).toMatchObject({ name: 'SoapFault', declared: { name, value } })
  }
}

function fetchFrom(service: ReturnType<typeof soapService>): typeof fetch {
  return async (_, init) => {
    const headers = new Headers(init?.headers)
    const response = await service.handle({
      method: 'POST',
      path: '/',
      contentType: headers.get('content-type') ?? '',
      action: headers.get('soapaction') ?? undefined,
      body: Buffer.from(String(init?.body)),
    })
    return new Response(response.body || null, { status: response.status, headers: response.headers })
  }
}

/** The top-level elements of a text, one after the other. */
function elementTexts(xml: string): string[] {
  const root = parse(`<body>${xml}</body>`)
  if (root.children.length === 1) return [xml]
  // Several elements: each writes its own namespaces, so that the text can be cut between them.
  return xml.split(/(?<=>)(?=<t\d*:[A-Z])/).filter((text) => listContent(parse(`<a>${text}</a>`)).length === 1)
}

/** What xmllint says against elements, by a schema of all documents of a shape. */
function lint(shape: Shape, documents: readonly string[]): string[] {
  if (documents.length === 0) return []
  const own = mkdtempSync(join(folder, 'shape-'))
  const write = (name: string, text: string): void => writeFileSync(join(own, name), text)
  for (const [at, uri] of BUILT_INS.entries()) write(`builtin${at}.xsd`, locateBuiltIns(builtInSchema(uri) ?? ''))
  const schemas = schemasOf(shape)
  for (const one of schemas) write(one.file, located(one, schemas))
  const roots = schemas.filter(
    ({ isInline, text }) => isInline && /<x:(element|complexType|simpleType|include|import)/.test(text),
  )
  const wanted = roots.length > 0 ? roots : schemas
  const wrappers = Object.entries(shape.wrappers ?? {}).map(([namespace, text]) => {
    const imports = wanted.filter((one) => one.namespace !== namespace)
    const head = `<x:schema xmlns:x="${XSD}" xmlns:t="${NS}" targetNamespace="${namespace}">`
    write('wrappers.xsd', `${head}${imports.map(writeImport).join('')}${text}</x:schema>`)
    return { namespace, file: 'wrappers.xsd' }
  })
  const driver = (wrappers.length > 0 ? wrappers : wanted).map(writeImport).join('')
  write('all.xsd', `<x:schema xmlns:x="${XSD}">${driver}</x:schema>`)
  const names = documents.map((text, at) => {
    write(`d${at}.xml`, text)
    return `d${at}.xml`
  })
  const { stderr } = spawnSync('xmllint', ['--nonet', '--noout', '--schema', 'all.xsd', ...names], {
    cwd: own,
    encoding: 'utf8',
  })
  return stderr
    .split('\n')
    .filter((line) => line !== '' && !line.endsWith(' validates') && !/Skipping import/.test(line))
}

const BUILT_INS = [
  'http://www.w3.org/XML/1998/namespace',
  'http://www.w3.org/2000/09/xmldsig#',
  'http://www.w3.org/2005/08/addressing',
  'http://www.w3.org/2005/05/xmlmime',
  'http://www.w3.org/2003/05/soap-envelope',
]

interface SchemaFile {
  readonly file: string
  readonly namespace: string
  readonly text: string
  /** Name of the document that it is, or that it is in. */
  readonly document: string
  readonly isInline: boolean
}

function schemasOf({ documents }: Shape): SchemaFile[] {
  return Object.entries(documents).flatMap(([document, text]) => {
    const isInline = !/<x:schema/.test(text.replace(/<[?!][^>]*>/g, '').slice(0, 40))
    return [...text.matchAll(/<x:schema[^]*?<\/x:schema>/g)].map(([found], at) => {
      const namespace = /targetNamespace="([^"]*)"/.exec(found.slice(0, found.indexOf('>')))?.[1] ?? ''
      const file = isInline ? `${fileName(document)}.${at}.xsd` : fileName(document)
      return {
        file,
        namespace,
        text: found.replace(/^<x:schema(?![^>]*xmlns:x=)/, `<x:schema xmlns:x="${XSD}"`),
        document,
        isInline,
      }
    })
  })
}

/** A schema whose references name the files that were written. */
function located({ text, document }: SchemaFile, schemas: readonly SchemaFile[]): string {
  return text
    .replace(
      /schemaLocation="([^"]*)"/g,
      (_, location: string) => `schemaLocation="${fileName(relativeTo(document, location))}"`,
    )
    .replace(/<x:import namespace="([^"]*)"[^>]*\/>/g, (found, namespace: string) => {
      if (BUILT_INS.includes(namespace)) return locateBuiltIns(found)
      const other = schemas.find((one) => one.namespace === namespace)
      return found.includes('schemaLocation') || !other ? found : writeImport(other)
    })
    .replace(
      /(<x:schema[^>]*>)(?![^]*XML\/1998\/namespace)([^]*xml:lang)/,
      (_, head: string, rest: string) =>
        head + writeImport({ namespace: BUILT_INS[0] ?? '', file: 'builtin0.xsd' }) + rest,
    )
}

function locateBuiltIns(text: string): string {
  return text.replace(/<x:import namespace="([^"]*)"[^>]*\/>/g, (found, namespace: string) => {
    const known = BUILT_INS.indexOf(namespace)
    return known === -1 ? found : writeImport({ namespace, file: `builtin${known}.xsd` })
  })
}

function writeImport({ namespace, file }: { namespace: string; file: string }): string {
  if (namespace === '') return `<x:include schemaLocation="${file}"/>`
  return `<x:import namespace="${namespace}" schemaLocation="${file}"/>`
}

function fileName(name: string): string {
  return name.replace(/[?=]/g, '_').replaceAll('/', '_')
}

test('the types of all contracts compile under strict, and samples fit them', () => {
  for (const [at, shape] of shapes.entries()) {
    const contract = load(shape)
    const port =
      /export type (\S+) = \{\n(?=(?:\s+\/\*\*.*\n)?\s+\S+: \{ input)/.exec(writeTypes(contract))?.[1] ?? 'Port'
    const samples = [...contract.operations.values()].flatMap((operation, index) =>
      FULLNESS.flatMap((fullness) => [
        `export const in${index}${fullness}: ${port}['${operation.name}']['input'] = ${writeSource(sample(operation.input, contract, fullness))}`,
        ...(operation.output
          ? [
              `export const out${index}${fullness}: ${port}['${operation.name}']['output'] = ${writeSource(sample(operation.output, contract, fullness))}`,
            ]
          : []),
      ]),
    )
    const text = samples.join('\n')
    const imports = /XmlElement/.test(text) ? "import type { XmlElement } from '@svc/soap-envelope'\n" : ''
    writeFileSync(join(typesFolder, `s${at}.ts`), writeTypes(contract))
    writeFileSync(
      join(typesFolder, `u${at}.ts`),
      `// ${shape.name}\n${imports}import type { ${port} } from './s${at}.ts'\n${text}\n`,
    )
  }
  writeFileSync(
    join(typesFolder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../../tsconfig.base.json', include: ['*.ts'] }),
  )
  const { stdout } = spawnSync('tsc', ['-p', typesFolder], { encoding: 'utf8' })
  expect(stdout).toBe('')
}, 120_000)
