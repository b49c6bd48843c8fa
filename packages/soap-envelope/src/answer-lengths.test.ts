import { soap } from '@svc/soap-envelope'
import { expect, test } from 'vitest'
import { send } from '../../internal/testing/check.ts'
import { hosts, listen } from '../../internal/testing/hosts.ts'
import { TYPE_12 } from './testing/post.ts'
import { envelope, shopService } from './testing/shop.ts'

const headers = { 'content-type': TYPE_12 }

test.each(Object.entries(hosts))('%s sends short and long answers whole, counted in bytes', async (_name, start) => {
  const host = await listen(start({ middlewares: [soap(shopService())] }))
  try {
    for (const limit of [1, 20, 200]) {
      const body = envelope(`<s:ListOrdersRequest><s:limit>${limit}</s:limit></s:ListOrdersRequest>`)
      const answer = await send(host.url, { method: 'POST', headers, body })
      expect(answer.headers['content-length']).toBe(String(answer.body.length))
      expect(answer.text.match(/ &amp; Söhne/g)).toHaveLength(limit)
      expect(answer.text.endsWith('</env:Envelope>')).toBe(true)
    }
  } finally {
    await host.close()
  }
})
