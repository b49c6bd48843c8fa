import * as crypto from 'node:crypto'
import { promisify } from 'node:util'

const scrypt = promisify<crypto.BinaryLike, crypto.BinaryLike, number, crypto.ScryptOptions, Buffer>(crypto.scrypt)

// As @types/node of Node.js 24 has it.
type Argon2 = (
  algorithm: 'argon2id',
  parameters: {
    message: string
    nonce: Buffer
    parallelism: number
    tagLength: number
    memory: number
    passes: number
  },
  done: (error: Error | null, tag: Buffer) => void,
) => void

/** Algorithms of the stored hashes. */
export type HashAlgorithm = 'argon2id' | 'scrypt'

// Node.js 24.7 and later have Argon2 and verify both hashes. Earlier versions have scrypt only.
const argon2 = (crypto as { argon2?: Argon2 }).argon2

export const HASH_ALGORITHM: HashAlgorithm = argon2 ? 'argon2id' : 'scrypt'

const MEMORY_KIB = 19 * 1024
const PASSES = 2
const SCRYPT_LOG2N = 15
const TAG = 32
const SALT = 16
const MAX_CONCURRENT = 2

/** Hashes a password, as a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.randomBytes(SALT)
  const tag = argon2
    ? await deriveArgon2(password, salt, MEMORY_KIB, PASSES)
    : await deriveScrypt(password, salt, SCRYPT_LOG2N)
  return formatPhc(salt, tag)
}

/**
 * Returns a hash of random bytes that no password has. Verifying against it takes as long as
 * against a hash of {@link hashPassword}.
 */
export function createDecoyHash(): string {
  return formatPhc(crypto.randomBytes(SALT), crypto.randomBytes(TAG))
}

function formatPhc(salt: Buffer, tag: Buffer): string {
  const parameters = argon2 ? `argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1` : `scrypt$ln=${SCRYPT_LOG2N},r=8,p=1`
  return `$${parameters}$${encode(salt)}$${encode(tag)}`
}

/**
 * Whether a password has this hash. Takes equally long if not; `false` for an invalid hash. Rejects
 * if this Node.js does not have the algorithm of the hash.
 */
export async function verifyPassword(password: string, phc: string): Promise<boolean> {
  const parts = phc.split('$')
  const salt = Buffer.from(parts.at(-2) ?? '', 'base64')
  const expected = Buffer.from(parts.at(-1) ?? '', 'base64')
  const actual = await derive(password, parts, salt)
  return actual !== undefined && expected.length === actual.length && crypto.timingSafeEqual(expected, actual)
}

function derive(password: string, parts: string[], salt: Buffer): Promise<Buffer> | undefined {
  if (parts[1] === 'argon2id') {
    const { m, t } = parseParameters(parts[3])
    return m && t ? deriveArgon2(password, salt, m, t) : undefined
  }
  if (parts[1] === 'scrypt') {
    const { ln } = parseParameters(parts[2])
    return ln ? deriveScrypt(password, salt, ln) : undefined
  }
  return undefined
}

function parseParameters(text = ''): Partial<Record<string, number>> {
  const pairs = text.split(',').map((pair) => pair.split('='))
  return Object.fromEntries(pairs.map(([name, value]) => [name, Number(value)]))
}

function deriveArgon2(message: string, nonce: Buffer, memory: number, passes: number): Promise<Buffer> {
  if (!argon2) throw new Error(`an Argon2 hash needs Node.js 24.7 or later, this is ${process.versions.node}`)
  const parameters = { message, nonce, parallelism: 1, tagLength: TAG, memory, passes }
  return takeTurn(
    () =>
      new Promise((resolve, reject) => {
        argon2('argon2id', parameters, (error, tag) => (error ? reject(error) : resolve(tag)))
      }),
  )
}

function deriveScrypt(password: string, salt: Buffer, log2n: number): Promise<Buffer> {
  return takeTurn(() => scrypt(password, salt, TAG, { N: 2 ** log2n, r: 8, p: 1, maxmem: 2 ** (log2n + 11) }))
}

/** Resolvers of waiting derivations. Each takes 19 MiB, which the C library then retains. */
const waiting: (() => void)[] = []
let running = 0

async function takeTurn<T>(derivePassword: () => Promise<T>): Promise<T> {
  if (running >= MAX_CONCURRENT) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await derivePassword()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
