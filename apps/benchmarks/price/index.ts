import { readFileSync, writeFileSync } from 'node:fs'
import { findExcess, findSavings, type Prices } from './check.ts'
import { measurePrices, type PriceEffort } from './measure.ts'

// npm run price [-- --write]: compares the CPU of requests to the reference server with that of
// bare Express, without the kernel. It fails if a price exceeds the one in prices.json by more than
// 25 %; `--write` records the prices.

const RECORD = new URL('prices.json', import.meta.url)
const QUICK: PriceEffort = { pairs: 3, rounds: 5, slice: 40 }
// Neither a short disturbance by another process nor a process that V8 compiles badly must fail the
// check.
const THOROUGH: PriceEffort = { pairs: 7, rounds: 7, slice: 40 }

const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as Prices
const names = Object.keys(recorded)
const isWriting = process.argv.includes('--write')
const prices = await measurePrices(names, isWriting ? THOROUGH : QUICK)

if (isWriting) writeFileSync(RECORD, `${JSON.stringify(prices, undefined, 2)}\n`)
else {
  const doubtful = names.filter((name) => findExcess({ [name]: prices[name] ?? 0 }, recorded).length > 0)
  if (doubtful.length > 0) Object.assign(prices, await measurePrices(doubtful, THOROUGH))
}
console.table(Object.fromEntries(names.map((name) => [name, { price: prices[name], recorded: recorded[name] }])))

const excess = isWriting ? [] : findExcess(prices, recorded)
for (const line of isWriting ? [] : findSavings(prices, recorded)) console.log(`cheaper: ${line}`)
for (const line of excess) console.error(`dearer: ${line}`)
process.exitCode = excess.length > 0 ? 1 : 0
