import { type Asset, loadAsset } from '../../reference-server/src/index.ts'

const directory = new URL('./assets/', import.meta.url)

/** Scripts of single pages. */
export const scripts = {
  experiment: loadAsset(directory, 'experiment.js'),
  hal: loadAsset(directory, 'hal.js'),
  ratelimit: loadAsset(directory, 'ratelimit.js'),
  negotiation: loadAsset(directory, 'negotiation.js'),
  pulse: loadAsset(directory, 'pulse.js'),
  requests: loadAsset(directory, 'requests.js'),
  tokens: loadAsset(directory, 'tokens.js'),
} as const

/** The style of what only these pages show. */
export const style: Asset = loadAsset(directory, 'playground.css')

/** The style of the pulse, which is on the first page. */
export const pulseStyle: Asset = loadAsset(directory, 'pulse.css')
