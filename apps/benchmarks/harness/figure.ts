import type { Unit } from './table.ts'

/** A figure as people read it. */
export function written(figure: number | null | undefined, unit: Unit): string {
  if (figure === null || figure === undefined) return '–'
  return WRITERS[unit](figure)
}

const WRITERS: Record<Unit, (figure: number) => string> = {
  time,
  times: (ratio) => `${ratio < 0.1 ? ratio.toPrecision(2) : ratio.toFixed(2)} ×`,
  'per second': (count) => Math.round(count).toLocaleString('en'),
  bytes: (size) =>
    size < 10_000 ? `${Math.round(size)} B` : `${(size / 2 ** 20).toFixed(size < 2 ** 20 ? 2 : 0)} MiB`,
  exponent: (power) => power.toFixed(2),
}

function time(ns: number): string {
  if (ns < 0) return `-${time(-ns)}`
  if (ns < 1000) return `${ns < 10 ? ns.toFixed(1) : Math.round(ns)} ns`
  return ns < 1e6 ? `${shortened(ns / 1000)} µs` : `${shortened(ns / 1e6)} ms`
}

/** Three digits, without an exponent. */
function shortened(value: number): string {
  return value < 1000 ? String(Number(value.toPrecision(3))) : value.toFixed(0)
}
