import { splitList, trim } from '../../internal/list.ts'

const MAX_LENGTH = 4096
const MAX_MEMBERS = 64
const SEMICOLON = 0x3b

/** A member of Accept or Accept-Language. */
export interface Weighted {
  /** In lower case, without parameters. */
  value: string
  /** Parameters without the weight. */
  parameters: string[]
  /** 0 to 1. */
  quality: number
}

/**
 * Parses a list of weighted values (RFC 9110 §12.4.2). An item whose weight is not a number is
 * dropped, a weight above 1 is 1. Returns `undefined` if the list is empty or has more items than a
 * real client sends.
 */
export function readWeighted(field: string | undefined): Weighted[] | undefined {
  if (field === undefined || field === '' || field.length > MAX_LENGTH) return undefined
  const members = splitList(field, undefined, MAX_MEMBERS + 1)
  if (members.length > MAX_MEMBERS) return undefined
  return members.map(readMember).filter((member) => member !== undefined)
}

function readMember(member: string): Weighted | undefined {
  const [value = '', ...all] = splitList(member, SEMICOLON)
  const parameters: string[] = []
  let quality: number | undefined = 1
  for (const parameter of all) {
    const equals = parameter.indexOf('=')
    if (equals === -1 || trim(parameter, 0, equals).toLowerCase() !== 'q') parameters.push(parameter)
    else quality = readWeight(trim(parameter, equals + 1, parameter.length))
  }
  return quality === undefined ? undefined : { value: value.toLowerCase(), parameters, quality }
}

function readWeight(text: string): number | undefined {
  return /^(\d+(\.\d*)?|\.\d+)$/.test(text) ? Math.min(1, Math.floor(Number(text) * 1000) / 1000) : undefined
}
