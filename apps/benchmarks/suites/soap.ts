import type { Bench, Contender, Operation } from '../harness/measure.ts'
import { sizes } from '../soap/customers.ts'

export const title = 'SOAP messages'

const TREE =
  'the tree and the values live until the response is sent, which the bare events need not; the longer the message, the more the engine moves them: decision 032'
const CHECKS =
  'each value is checked by the schema and looked through for what must be escaped; node-soap writes what it is given: decision 032'
const WARM = 'of a message this short a part is what any message costs: limits, decoder, parser'

const FLOOR = 'bare events of saxes, strings joined'
const FILES = {
  [FLOOR]: 'floor',
  'node-soap': 'node-soap',
  'strong-soap': 'strong-soap',
  'fast-xml-parser, no contract, no checks': 'fast-xml-parser',
  '@svc/soap-envelope': 'ours',
}

export function benches(): Bench[] {
  return Object.keys(sizes).flatMap((size) =>
    ['parse', 'write'].map((step): Bench => {
      const isSmall = size !== '1 MB'
      const reading = [{ id: 'X1', against: FLOOR, most: 1.6, reason: TREE }]
      if (isSmall) reading.push({ id: 'X1', against: 'node-soap', most: 1 / 3, reason: WARM })
      return {
        name: `${step} ${size}`,
        base: 'node-soap',
        ...(!isSmall && { rounds: 7 }),
        goals: step === 'parse' ? reading : [{ id: 'X2', against: 'node-soap', most: 1 / 9, reason: CHECKS }],
        contenders: Object.entries(FILES).map(([name, file]) => createContender(name, file, `${step} ${size}`)),
      }
    }),
  )
}

function createContender(name: string, file: string, operation: string): Contender {
  const prepare = async (): Promise<Operation> => {
    const { operations } = (await import(`../soap/${file}.ts`)) as { operations: Record<string, Operation> }
    return operations[operation] as Operation
  }
  return { name, prepare }
}
