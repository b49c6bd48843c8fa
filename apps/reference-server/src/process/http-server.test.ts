import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, test } from 'vitest'
import { httpServer, messageClasses } from './http-server.ts'

test('messages are created as those of the app, which need no other prototype', async () => {
  const app = express()
  app.use((req, res) => void res.json({ app: req.app === app && res.app === app, host: req.get('Host') }))
  const server = httpServer(app, undefined, messageClasses(app))
  const prototypes: unknown[] = []
  server.prependListener('request', (req, res) => prototypes.push(...[req, res].map(Object.getPrototypeOf)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await (await fetch(`http://${host}/`)).json()).toEqual({ app: true, host })
  expect(prototypes[0]).toBe(app.request)
  expect(prototypes[1]).toBe(app.response)
  server.close()
})
