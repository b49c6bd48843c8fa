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
  const builder: Builder = { nodes: [], sets: new Map(), pattern }
  const start = build(parsePattern(pattern), ACCEPT, builder)
  return matcher(start, builder.nodes, [...builder.sets.values()])
}

/** A state of the automaton: it takes a character of a set, or moves on without one. */
interface Node {
  /** Index of the set. */
  readonly set: number | undefined
  readonly next: number[]
}

interface Builder {
  readonly nodes: Node[]
  /** The different sets of characters, by their source. */
  readonly sets: Map<string, CharacterSet>
  readonly pattern: string
}

interface CharacterSet {
  readonly index: number
  readonly regExp: RegExp
}

/** The state that is reached at the end of a match. */
const ACCEPT = -1
const MAX_NODES = 20_000
const MAX_STATES = 2_000
const MAX_CHARACTERS = 1_024

/** Builds the states of a node in front of those that follow it. Returns the first. */
function build(node: PatternNode, next: number, builder: Builder): number {
  if (node.kind === 'class') return add({ set: indexOfSet(node.set, builder), next: [next] }, builder)
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

function indexOfSet(regExp: RegExp, { sets }: Builder): number {
  const set = sets.get(regExp.source) ?? { index: sets.size, regExp }
  sets.set(regExp.source, set)
  return set.index
}

function add(node: Node, { nodes, pattern }: Builder): number {
  if (nodes.length >= MAX_NODES)
    throw new TypeError(`soap-envelope: the pattern "${pattern.slice(0, 80)}" repeats too much`)
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
  /** The state after any other character of a kind. */
  readonly others: Map<CharacterKind, State>
}

/** Characters that are in the same sets: they lead from a state to the same one. */
interface CharacterKind {
  /** Whether the characters are in each set, by its index. */
  readonly isIn: readonly boolean[]
}

function matcher(start: number, nodes: readonly Node[], sets: readonly CharacterSet[]): PatternMatcher {
  const states = new Map<string, State>()
  const classify = classifier(sets)
  const close = closer(nodes)
  let first: State | undefined
  const getState = (reached: readonly number[]): State => {
    const members = close(reached)
    const key = members.join()
    const existing = states.get(key)
    if (existing) return existing
    if (states.size >= MAX_STATES) {
      states.clear()
      first = undefined
    }
    const state: State = { members, accepts: members.includes(ACCEPT), ascii: new Array(128), others: new Map() }
    states.set(key, state)
    return state
  }
  const step = ({ members }: State, { isIn }: CharacterKind): State => {
    const reached: number[] = []
    for (const member of members) {
      const node = nodes[member]
      if (node?.set !== undefined && isIn[node.set]) reached.push(...node.next)
    }
    return getState(reached)
  }
  return {
    test: (text) => {
      first ??= getState([start])
      let state = first
      for (let index = 0; index < text.length && state.members.length > 0; index++) {
        const code = text.charCodeAt(index)
        if (code < 128) {
          let next = state.ascii[code]
          if (next === undefined) {
            next = step(state, classify(code))
            state.ascii[code] = next
          }
          state = next
        } else {
          const point = text.codePointAt(index) ?? 0
          if (point > 0xffff) index++
          const kind = classify(point)
          let next = state.others.get(kind)
          if (next === undefined) {
            next = step(state, kind)
            state.others.set(kind, next)
          }
          state = next
        }
      }
      return state.accepts
    },
  }
}

/**
 * Creates the function that returns the kind of a character. A pattern has few kinds, so that a
 * client cannot avoid the states that exist by other letters in each text.
 */
function classifier(sets: readonly CharacterSet[]): (point: number) => CharacterKind {
  const kinds = new Map<string, CharacterKind>()
  const characters = new Map<number, CharacterKind>()
  return (point) => {
    const cached = characters.get(point)
    if (cached) return cached
    const char = String.fromCodePoint(point)
    const isIn = sets.map(({ regExp }) => regExp.test(char))
    const key = isIn.join()
    const kind = kinds.get(key) ?? { isIn }
    kinds.set(key, kind)
    if (characters.size >= MAX_CHARACTERS) characters.clear()
    characters.set(point, kind)
    return kind
  }
}

/**
 * Creates the function that returns the states that take a character, or accept, among those
 * reachable without one, in order.
 */
function closer(nodes: readonly Node[]): (members: readonly number[]) => number[] {
  // The number of the last call that reached each state: a new set for each call takes ten times
  // as long.
  const reachedIn = new Float64Array(nodes.length + 1)
  let call = 0
  return (members) => {
    call++
    const reached: number[] = []
    const open = [...members]
    for (let member = open.pop(); member !== undefined; member = open.pop()) {
      if (reachedIn[member + 1] === call) continue
      reachedIn[member + 1] = call
      const node = nodes[member]
      if (node && node.set === undefined) open.push(...node.next)
      else reached.push(member)
    }
    return reached.sort((a, b) => a - b)
  }
}
