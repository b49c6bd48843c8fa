import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { negotiate } from '@svc/negotiate'
import { compression as ours } from '@svc/negotiate/compression'
import peer from 'compression'
import { requester } from '../harness/in-process.ts'
import type { Bench } from '../harness/measure.ts'

export const title = 'Compression'

type Handler = (req: IncomingMessage, res: ServerResponse, next: () => void) => void

const page = JSON.stringify(
  Array.from({ length: 60 }, (_, index) => ({
    id: index * 7919,
    name: `Employee ${index * 31}`,
    city: 'Zürich',
    salary: index ** 3,
  })),
)

/** A page that was never sent before, or always the same one. */
function sender(isNew: boolean): (res: ServerResponse) => void {
  let turn = 0
  return (res) => {
    const text = isNew ? page.replace('Employee', `Employee ${turn++}`) : page
    res.setHeader('Content-Type', 'application/json')
    res.end(text)
  }
}

function listener(middleware: Handler | undefined, isNew: boolean): RequestListener {
  const send = sender(isNew)
  return (req, res) => (middleware ? middleware(req, res, () => send(res)) : send(res))
}

export function benches(): Bench[] {
  return ['gzip', 'br'].flatMap((coding) =>
    [true, false].map((isNew): Bench => {
      const fields = { 'Accept-Encoding': coding }
      return {
        name: `${coding}, a page of ${(page.length / 1024).toFixed(1)} KB, ${isNew ? 'never sent before' : 'the same again'}`,
        base: 'compression',
        overhead: 'without a middleware',
        contenders: [
          { name: 'compression', run: requester(listener(peer() as Handler, isNew), fields) },
          { name: '@svc/negotiate/compression', run: requester(listener(ours() as Handler, isNew), fields) },
          {
            name: 'negotiate() with tag and conditions',
            run: requester(listener(negotiate() as Handler, isNew), fields),
          },
          { name: 'without a middleware', run: requester(listener(undefined, isNew), fields) },
        ],
      }
    }),
  )
}
