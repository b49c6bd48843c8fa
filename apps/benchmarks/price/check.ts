/** CPU of the reference server to that of bare Express, by request. */
export type Prices = Record<string, number>

/** Share of the recorded price that a price may be higher or lower. */
export const TOLERANCE = 0.25

/** Returns what is dearer than recorded. */
export function findExcess(prices: Prices, recorded: Prices): string[] {
  return Object.entries(prices).flatMap(([name, price]) => {
    const before = recorded[name]
    if (before === undefined) return [`${name} has no recorded price: npm run price -- --write`]
    if (price <= before * (1 + TOLERANCE)) return []
    return [`${name} costs ${format(price)} × bare Express, ${format(before)} × are recorded`]
  })
}

/** Returns what has become so much cheaper that the record no longer protects it. */
export function findSavings(prices: Prices, recorded: Prices): string[] {
  return Object.entries(prices).flatMap(([name, price]) => {
    const before = recorded[name] ?? 0
    if (price >= before * (1 - TOLERANCE)) return []
    return [`${name} costs ${format(price)} ×, ${format(before)} × are recorded: npm run price -- --write`]
  })
}

function format(price: number): string {
  return price.toFixed(2)
}
