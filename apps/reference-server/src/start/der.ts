/** Writes values in DER (X.690), as much of it as a certificate needs. */

const SHORT = 0x80
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_ID = 0x06
const UTF8_STRING = 0x0c
const UTC_TIME = 0x17
const SEQUENCE = 0x30
const SET = 0x31

/** A value with its tag and its length. */
export function tagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  if (length < SHORT) return Buffer.concat([Buffer.from([tag, length]), content])
  const bytes = length < 256 ? [length] : [length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, SHORT | bytes.length, ...bytes]), content])
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => tagged(SEQUENCE, ...parts)
export const set = (...parts: readonly Uint8Array[]): Buffer => tagged(SET, ...parts)
export const integer = (bytes: Uint8Array): Buffer => tagged(INTEGER, bytes)
export const bitString = (bytes: Uint8Array): Buffer => tagged(BIT_STRING, Buffer.from([0]), bytes)
export const octetString = (bytes: Uint8Array): Buffer => tagged(OCTET_STRING, bytes)
export const utf8String = (text: string): Buffer => tagged(UTF8_STRING, Buffer.from(text))

/** `260101000000Z` */
export const utcTime = (date: Date): Buffer =>
  tagged(UTC_TIME, Buffer.from(`${date.toISOString().slice(2, 19).replace(/[-T:]/g, '')}Z`))

/** An object identifier: `1.2.840.10045.4.3.2`. */
export function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = rest.flatMap((number) => {
    const groups = [number & 0x7f]
    for (let left = number >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | SHORT)
    return groups
  })
  return tagged(OBJECT_ID, Buffer.from([first * 40 + second, ...bytes]))
}
