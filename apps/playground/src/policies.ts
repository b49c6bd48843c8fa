import { type Html, html } from '../../reference-server/src/index.ts'

/** The policies of the playground, each with how its quota falls in a burst and comes back. */
const CURVES = {
  gcra: 'M2 4h10v20h10v-4h10v-4h10v-4h10v-4h10v-4h34',
  'sliding-log': 'M2 4h10v8h6v12h34v-12h6v-8h38',
  'sliding-counter': 'M2 4h10v20h26l36-20h22',
  'fixed-window': 'M2 4h10v20h40v-20h44',
  'token-bucket': 'M2 4h10v20l50-20h34',
  concurrency: 'M2 4h10v20h14v-8h6v-8h6v-4h58',
} as const

export type Policy = keyof typeof CURVES

/** The policies of the playground. */
export const POLICIES = Object.keys(CURVES) as readonly Policy[]

/** A drawing of the quota of a policy over time. */
export function policyCurve(policy: Policy): Html {
  return html`<svg class="curve" viewBox="0 0 98 28" aria-hidden="true"><path d="${CURVES[policy]}"/></svg>`
}
