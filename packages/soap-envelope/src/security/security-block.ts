import type { OptionRules } from '../assert-options.ts'
import { parseDateTime } from '../schema/date-time.ts'
import { securityFault } from '../service/security.ts'
import type { XmlElement } from '../xml/element.ts'
import { WSSE, WSU } from '../xml/names.ts'

/** Age that a message may have. */
export interface TimeRules {
  readonly maxAgeMs: number
  readonly clockToleranceMs: number
}

/** The options of a mechanism that become its rules. */
interface TimeOptions {
  maxAgeSeconds?: number
  clockToleranceSeconds?: number
}

export const TIME_OPTIONS: OptionRules<TimeOptions> = { maxAgeSeconds: { min: 0 }, clockToleranceSeconds: { min: 0 } }

/** Reads the options of a mechanism. */
export function readTimeRules({ maxAgeSeconds = 300, clockToleranceSeconds = 60 }: TimeOptions): TimeRules {
  return { maxAgeMs: maxAgeSeconds * 1000, clockToleranceMs: clockToleranceSeconds * 1000 }
}

const IN_UTILITY = new Set(['Created', 'Timestamp', 'Expires'])

/**
 * Reads the children of an element of WS-Security: only those with these names, and each at most
 * once.
 */
export function readParts(parent: XmlElement, names: readonly string[]): Map<string, XmlElement> {
  const parts = new Map<string, XmlElement>()
  for (const child of parent.children) {
    const uri = IN_UTILITY.has(child.local) ? WSU : WSSE
    if (child.uri !== uri || !names.includes(child.local))
      throw securityFault('UnsupportedSecurityToken', 'The security header contains something that is not supported.')
    if (parts.has(child.local)) throw securityFault('InvalidSecurity', `There is more than one ${child.local}.`)
    parts.set(child.local, child)
  }
  return parts
}

/** Rejects a Timestamp of the future, or one that has expired. Returns its time of creation. */
export function checkTimestamp(
  timestamp: XmlElement,
  nowMs: number,
  { clockToleranceMs }: TimeRules,
): string | undefined {
  const parts = readParts(timestamp, ['Created', 'Expires'])
  const created = parts.get('Created')?.text
  const expires = parts.get('Expires')?.text
  if (created !== undefined && readTime(created) > nowMs + clockToleranceMs)
    throw securityFault('InvalidSecurity', 'The message was created in the future.')
  if (expires !== undefined && readTime(expires) <= nowMs)
    throw securityFault('MessageExpired', 'The message has expired.')
  return created
}

/** Reads a time of creation. Rejects one that is too old, or in the future. */
export function readFreshTime(text: string, nowMs: number, { maxAgeMs, clockToleranceMs }: TimeRules): number {
  const ms = readTime(text)
  if (ms < nowMs - maxAgeMs || ms > nowMs + clockToleranceMs)
    throw securityFault('MessageExpired', 'The token was created too long ago, or in the future.')
  return ms
}

/** xs:dateTime with a zone, and nothing else. */
function readTime(text: string): number {
  const instant = text.length <= 64 ? parseDateTime(text.trim()) : undefined
  if (!instant?.zoned)
    throw securityFault('InvalidSecurityToken', 'A time in the security header is not a date and time with a zone.')
  return instant.ms
}
