import { splitList, trim } from '../../../internal/list.ts'

/**
 * The language tags of an Accept-Language field, the preferred first, without rejected ones (RFC
 * 9110 12.5.4).
 */
export function readLanguages(value: string | undefined): string[] {
  if (value === undefined) return []
  const ranges = splitList(value, undefined, 32).map((range) => {
    const [tag = '', ...parameters] = splitList(range, 0x3b, 4)
    const weight = parameters.find((parameter) => /^q\s*=/i.test(parameter))
    const quality = weight === undefined ? 1 : Number(trim(weight, weight.indexOf('=') + 1, weight.length))
    return { tag, quality: Number.isNaN(quality) ? 0 : quality }
  })
  return ranges
    .filter(({ tag, quality }) => quality > 0 && tag !== '*')
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
}
