import { readFileSync } from 'node:fs'
import { type Contract, parseContract } from '@svc/soap-envelope'

/** The contracts of an interface, version 1 first: `customer` or `price`. Read from the files beside this one. */
export function contractsOf(interfaceName: 'customer' | 'price'): Contract[] {
  return ['v1', 'v2'].map((version) => parseContract(read(`${interfaceName}-${version}.wsdl`), { resolveImport: read }))
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}
