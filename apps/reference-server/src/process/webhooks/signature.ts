import { createHmac } from 'node:crypto'

/** The fields that let a receiver know who sent a message, and when (Standard Webhooks, `v1`: HMAC-SHA256). */
export function signatureFields(id: string, body: string, secret: Buffer, nowMs: number): Record<string, string> {
  const seconds = Math.floor(nowMs / 1000)
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}
