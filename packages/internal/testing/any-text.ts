import fc from 'fast-check'

const codePoint = fc.oneof(
  fc.integer({ max: 0x7f, min: 0 }),
  fc.integer({ max: 0xffff, min: 0 }),
  fc.integer({ max: 0x10ffff, min: 0 }),
)

/**
 * Strings of any code points, lone surrogates included. The unit `binary` of fast-check covers the
 * same, but takes seconds per file to build its tables, which exceeds the time limit of a test on a
 * loaded machine.
 */
export function anyText(constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: codePoint.map((code) => String.fromCodePoint(code)) })
}
