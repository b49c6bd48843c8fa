import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Keeps secrets that must be read again: a digest of WS-Security is made of the clear text. */
export interface SoapSecrets {
  /** Encrypts a secret for one user: no other user's row can hold it. */
  seal(subject: string, secret: string): string
  /** Decrypts a secret; `undefined` if it was sealed with another key or for another user. */
  open(subject: string, sealed: string): string | undefined
}

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** AES-256 in GCM, with a nonce for each secret; the subject of the user is bound to it. */
export function soapSecrets(key: Uint8Array): SoapSecrets {
  return {
    seal(subject, secret) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(subject))
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
    },
    open(subject, sealed) {
      const bytes = Buffer.from(sealed, 'base64')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
      try {
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES))
          .setAAD(Buffer.from(subject))
          .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
        const secret = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
        return Buffer.concat([secret, decipher.final()]).toString()
      } catch {
        return undefined
      }
    },
  }
}
