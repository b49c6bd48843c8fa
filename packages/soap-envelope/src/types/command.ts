import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { LONG_WORDS } from '../schema/integer.ts'
import { type ParseContractOptions, parseContract } from '../wsdl/contract.ts'
import { decodeDocument } from '../xml/decode-document.ts'
import { writeTypes } from './write-types.ts'

const USAGE = `svc-soap types <file.wsdl> [--out <file.ts>] [--long <type>] [--service <name>] [--port <name>]

Writes the TypeScript types of a WSDL 1.1 document: messages, types, and the operations of its port type.
Schemas are read from its directory. Without --out, the types go to standard output.
--long (${LONG_WORDS.join(', ')}), --service and --port are the options of parseContract().
`

/** Runs the command; returns the exit code. */
export function run(args: readonly string[], print: (text: string) => void, complain: (text: string) => void): number {
  if (args[0] === '--help' || args[0] === '-h') {
    print(USAGE)
    return 0
  }
  const command = parseCommand(args)
  if (!command) {
    complain(USAGE)
    return 2
  }
  const { file, out, options } = command
  try {
    const folder = dirname(file)
    const read = (path: string): string => decodeDocument(readFileSync(path), path)
    const resolveImport = (name: string): string => read(join(folder, name))
    const types = writeTypes(parseContract(read(file), { ...options, resolveImport }))
    if (out === undefined) print(types)
    else writeFileSync(out, types)
    return 0
  } catch (error) {
    complain(`svc-soap: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

interface Command {
  readonly file: string
  readonly out: string | undefined
  readonly options: ParseContractOptions
}

const FLAGS = {
  out: { type: 'string' },
  long: { type: 'string' },
  service: { type: 'string' },
  port: { type: 'string' },
} as const

/** Returns the command of the arguments; `undefined` if they are not one. */
function parseCommand(args: readonly string[]): Command | undefined {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch {
    return undefined
  }
  const { values, positionals } = parsed
  const [name, file, ...rest] = positionals
  const long = LONG_WORDS.find((word) => word === values.long)
  if (name !== 'types' || file === undefined || rest.length > 0 || long !== values.long) return undefined
  const { out, service, port } = values
  const options: ParseContractOptions = {}
  if (long !== undefined) options.long = long
  if (service !== undefined) options.service = service
  if (port !== undefined) options.port = port
  return { file, out, options }
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options: FLAGS, allowPositionals: true })
}
