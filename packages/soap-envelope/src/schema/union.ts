import { Invalid, notA, readSimple, type SimpleType, simpleType } from './simple-type.ts'

/**
 * A value of one of several types: the first that takes it, in their order (XSD part 2, 2.5.1.3).
 */
export function unionType(name: string, members: readonly SimpleType[]): SimpleType {
  const wrong = notA(name)
  return simpleType({
    name,
    members,
    typescript: [...new Set(members.map(({ typescript }) => typescript))].join(' | '),
    whiteSpace: 'preserve',
    parse: (text, node) => {
      for (const member of members) {
        const value = readSimple(member, text, node)
        if (!(value instanceof Invalid)) return value
      }
      return wrong
    },
    format: (value, scope) => {
      for (const member of members) {
        const text = member.format(value, scope)
        if (typeof text === 'string') return text
      }
      return wrong
    },
  })
}
