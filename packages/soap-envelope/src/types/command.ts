import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseContract } from '../wsdl/contract.ts'
import { decodeDocument } from '../xml/decode-document.ts'
import { writeTypes } from './write-types.ts'

const USAGE = `svc-soap types <file.wsdl> [--out <file.ts>]

Writes the TypeScript types of a WSDL 1.1 document: messages, types, and the operations of its port type.
Schemas are read from its directory. Without --out, the types go to standard output.
`

/** Runs the command; returns the exit code. */
export function run(args: readonly string[], print: (text: string) => void, complain: (text: string) => void): number {
  const [command, file, flag, out, ...rest] = args
  const isComplete = flag === undefined || (flag === '--out' && out !== undefined && rest.length === 0)
  if (command === '--help' || command === '-h') {
    print(USAGE)
    return 0
  }
  if (command !== 'types' || file === undefined || !isComplete) {
    complain(USAGE)
    return 2
  }
  try {
    const folder = dirname(file)
    const read = (path: string): string => decodeDocument(readFileSync(path), path)
    const types = writeTypes(parseContract(read(file), { resolveImport: (name) => read(join(folder, name)) }))
    if (out === undefined) print(types)
    else writeFileSync(out, types)
    return 0
  } catch (error) {
    complain(`svc-soap: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}
