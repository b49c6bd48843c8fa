import { splitList, trim } from '../../internal/list.ts'

const MAX_LENGTH = 4096
const MAX_ITEMS = 64
const SEMICOLON = 0x3b

/** An item of `Accept` or `Accept-Language`. */
export interface WeightedItem {
  /** The value in lower case, without parameters. */
  value: string
  /** The parameters without the weight. */
  parameters: string[]
  /** The weight, 0 to 1. */
  quality: number
}

/**
 * Parses a list of weighted values (RFC 9110 §12.4.2). An item with an invalid weight is dropped, a
 * weight above 1 is 1. Returns `undefined` if the list is empty or longer than that of a legitimate
 * client.
 */
export function parseWeightedList(header: string | undefined): WeightedItem[] | undefined {
  if (header === undefined || header === '' || header.length > MAX_LENGTH) return undefined
  const items = splitList(header, undefined, MAX_ITEMS + 1)
  if (items.length > MAX_ITEMS) return undefined
  return items.map(parseItem).filter((item) => item !== undefined)
}

function parseItem(item: string): WeightedItem | undefined {
  const [value = '', ...all] = splitList(item, SEMICOLON)
  const parameters: string[] = []
  let quality: number | undefined = 1
  for (const parameter of all) {
    const equals = parameter.indexOf('=')
    if (equals === -1 || trim(parameter, 0, equals).toLowerCase() !== 'q') parameters.push(parameter)
    else quality = parseWeight(trim(parameter, equals + 1, parameter.length))
  }
  return quality === undefined ? undefined : { value: value.toLowerCase(), parameters, quality }
}

function parseWeight(text: string): number | undefined {
  return /^(\d+(\.\d*)?|\.\d+)$/.test(text) ? Math.min(1, Math.floor(Number(text) * 1000) / 1000) : undefined
}
