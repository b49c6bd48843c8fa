import { type PatternNode, parsePattern, type RepeatNode } from './parse-pattern.ts'

/** A compiled pattern of XSD. */
export interface PatternMatcher {
  /**
   * Whether the whole text matches. Takes time in proportion to the length of the text, for any
   * pattern.
   */
  test(text: string): boolean
}

/**
 * Compiles a pattern of XSD. It is matched by an automaton instead of a RegExp of JavaScript:
 * `(a+)+b` and its like would let a client stop the process. Throws a TypeError if the pattern is
 * not valid, or counts too far.
 */
export function compilePattern(pattern: string): PatternMatcher {
  const builder: Builder = { nodes: [], pattern }
  const start = build(parsePattern(pattern), ACCEPT, builder)
  return matcher(start, builder.nodes)
}

/** A state of the automaton: it takes a character of the class, or moves on without one. */
interface Node {
  readonly set: RegExp | undefined
  readonly next: number[]
}

interface Builder {
  readonly nodes: Node[]
  readonly pattern: string
}

/** The state that is reached at the end of a match. */
const ACCEPT = -1
const MAX_NODES = 20_000
const MAX_STATES = 2_000

/** Builds the states of a node in front of those that follow it. Returns the first. */
function build(node: PatternNode, next: number, builder: Builder): number {
  if (node.kind === 'class') return add({ set: node.set, next: [next] }, builder)
  if (node.kind === 'sequence') return node.parts.reduceRight((behind, part) => build(part, behind, builder), next)
  if (node.kind === 'choice')
    return add({ set: undefined, next: node.parts.map((part) => build(part, next, builder)) }, builder)
  return buildRepeat(node, next, builder)
}

function buildRepeat({ part, min, max }: RepeatNode, next: number, builder: Builder): number {
  let start = next
  if (max === Number.POSITIVE_INFINITY) {
    const loop: Node = { set: undefined, next: [next] }
    start = add(loop, builder)
    loop.next.push(build(part, start, builder))
  } else {
    // `x{0,3}` is `(x(x(x)?)?)?`: a state then has one way to go on, not three.
    for (let count = min; count < max; count++)
      start = add({ set: undefined, next: [build(part, start, builder), next] }, builder)
  }
  for (let count = 0; count < min; count++) start = build(part, start, builder)
  return start
}

function add(node: Node, { nodes, pattern }: Builder): number {
  if (nodes.length >= MAX_NODES) throw new TypeError(`the pattern "${pattern.slice(0, 80)}" repeats too much`)
  return nodes.push(node) - 1
}

/**
 * A set of states that are possible after some text. They are created when a text first leads to
 * them.
 */
interface State {
  readonly members: readonly number[]
  readonly accepts: boolean
  /** The state after a character of ASCII. */
  readonly ascii: (State | undefined)[]
}

function matcher(start: number, nodes: readonly Node[]): PatternMatcher {
  const states = new Map<string, State>()
  let first: State | undefined
  const getState = (members: readonly number[]): State => {
    const reached = closure(members, nodes)
    const key = reached.join()
    const existing = states.get(key)
    if (existing) return existing
    if (states.size >= MAX_STATES) {
      states.clear()
      first = undefined
    }
    const state: State = { members: reached, accepts: reached.includes(ACCEPT), ascii: new Array(128) }
    states.set(key, state)
    return state
  }
  const step = ({ members }: State, char: string): State =>
    getState(members.flatMap((member) => (nodes[member]?.set?.test(char) ? (nodes[member]?.next ?? []) : [])))
  return {
    test: (text) => {
      first ??= getState([start])
      let state = first
      for (let index = 0; index < text.length && state.members.length > 0; index++) {
        const code = text.charCodeAt(index)
        if (code < 128) {
          let next = state.ascii[code]
          if (next === undefined) {
            next = step(state, text.charAt(index))
            state.ascii[code] = next
          }
          state = next
        } else {
          const char = String.fromCodePoint(text.codePointAt(index) ?? 0)
          state = step(state, char)
          index += char.length - 1
        }
      }
      return state.accepts
    },
  }
}

/** The states that take a character, or accept, among those reachable without one. */
function closure(members: readonly number[], nodes: readonly Node[]): number[] {
  const seen = new Set<number>()
  const open = [...members]
  for (let member = open.pop(); member !== undefined; member = open.pop()) {
    if (seen.has(member)) continue
    seen.add(member)
    const node = nodes[member]
    if (node && node.set === undefined) open.push(...node.next)
  }
  return [...seen].filter((member) => member === ACCEPT || nodes[member]?.set !== undefined).sort((a, b) => a - b)
}
