/** Kind of a token: key or tag, string, number, literal, attribute, comment, or plain. */
export type TokenKind = 'k' | 's' | 'n' | 'l' | 'a' | 'c' | ''

export declare function tokenize(text: string, type: string): readonly (readonly [kind: TokenKind, text: string])[]
