import { splitList } from '@svc/negotiate/headers'

/** What the client would like (RFC 7240). */
export interface Prefer {
  return: 'minimal' | 'representation' | undefined
  /** `true`: unknown fields and parameters are overlooked. */
  lenient: boolean
  respondAsync: boolean
  /** Seconds that the client would wait. */
  wait: number | undefined
  /** A write is tried: everything is checked and done, then undone (`tx=rollback`, as in PostgREST). */
  rollback: boolean
}

const NONE: Prefer = { return: undefined, lenient: false, respondAsync: false, wait: undefined, rollback: false }

/** Reads `Prefer`. What contradicts itself or is not known is ignored. */
export function parsePrefer(field: string | undefined): Prefer {
  if (field === undefined) return NONE
  const preferences = new Map<string, string>()
  for (const member of splitList(field, { limit: 20 })) {
    const [name = '', value = ''] = (member.split(';')[0] ?? '').split('=')
    const key = name.trim().toLowerCase()
    const text = value.trim().replace(/^"|"$/g, '').toLowerCase()
    if (preferences.has(key) && preferences.get(key) !== text) preferences.set(key, '')
    else preferences.set(key, text)
  }
  const returned = preferences.get('return')
  const wait = Number(preferences.get('wait') ?? Number.NaN)
  return {
    return: returned === 'minimal' || returned === 'representation' ? returned : undefined,
    lenient: preferences.get('handling') === 'lenient',
    respondAsync: preferences.has('respond-async'),
    wait: Number.isInteger(wait) && wait >= 0 ? wait : undefined,
    rollback: preferences.get('tx') === 'rollback',
  }
}
