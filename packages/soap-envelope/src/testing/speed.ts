import { SaxesParser } from 'saxes'
import { DEFAULT_LIMITS } from '../xml/limits.ts'
import { treeReader } from '../xml/tree.ts'
import { createOrder, SHOP, shop } from './shop.ts'

// Prints the microseconds of CPU that a reading of 20 KB takes, by bare events of saxes (`floor`)
// or by our reader. Each in a process of its own: two kinds of parser in one process slow each
// other down.
const order = Array.from({ length: 55 }, (_, index) => createOrder(index))
const xml = shop.schema.encode({ uri: SHOP, local: 'ListOrdersResponse' }, { order })

function floor(): void {
  const parser = new SaxesParser({ xmlns: true, position: false })
  parser.on('opentag', () => {})
  parser.on('text', () => {})
  parser.on('closetag', () => {})
  parser.write(xml).close()
}

function ours(): void {
  const reader = treeReader({ limits: DEFAULT_LIMITS })
  reader.write(xml)
  reader.end()
}

const step = process.argv[2] === 'floor' ? floor : ours
const rounds = Array.from({ length: 25 }, () => {
  const start = process.cpuUsage()
  for (let index = 0; index < 40; index++) step()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 40
})
process.stdout.write(String(Math.min(...rounds)))
