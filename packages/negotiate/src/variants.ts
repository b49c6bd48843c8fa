export type { Choice } from './choice.ts'
export { chooseVariant, type Variant, type VariantOffers } from './choose-variant.ts'
export { matchesBasic, matchesExtended } from './language-range.ts'
export { rankCharsets, rankEncodings, rankLanguages, rankMediaTypes } from './rank.ts'
