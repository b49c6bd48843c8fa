import { createHmac } from 'node:crypto'

/** What a message is signed with (Standard Webhooks): `whsec_` and 24 to 64 bytes in base64. Throws where it is not. */
export function signingSecret(text: string): Buffer {
  const base64 = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1]
  const secret = Buffer.from(base64 ?? '', 'base64')
  if (secret.length < 24 || secret.length > 64) throw new Error('must be whsec_ and 24 to 64 bytes in base64')
  return secret
}

/** The fields that let a receiver know who sent a message, and when (Standard Webhooks, `v1`: HMAC-SHA256). */
export function signatureFields(id: string, body: string, secret: Buffer, nowMs: number): Record<string, string> {
  const seconds = Math.floor(nowMs / 1000)
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}
