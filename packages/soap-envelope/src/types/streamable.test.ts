import type { Handlers, Streamable } from '@svc/soap-envelope'
import type { SoapClient } from '@svc/soap-envelope/client'
import { expectTypeOf, test } from 'vitest'

interface Row {
  n: number
}
type Port = {
  list: { input: { title: string; row: readonly Row[] }; output: { row: readonly Row[] } }
  note: { input: { text: string }; output: undefined }
}
interface Rows {
  row: readonly Row[] | AsyncIterable<Row>
}

test('a repeated element may be an async iterable, and nothing else changes', () => {
  expectTypeOf<Streamable<Port['list']['input']>>().toEqualTypeOf<{ title: string; row: Rows['row'] }>()
  expectTypeOf<Streamable<Port['note']['input']>>().toEqualTypeOf<{ text: string }>()
  expectTypeOf<Streamable<unknown>>().toEqualTypeOf<unknown>()
})

test('handlers may return items while they are read, and get them so in streamed operations', () => {
  expectTypeOf<Rows>().toExtend<Awaited<ReturnType<Handlers<Port>['list']>>>()
  expectTypeOf<Parameters<Handlers<Port>['list']>[0]>().toEqualTypeOf<Port['list']['input']>()
  expectTypeOf<Parameters<Handlers<Port, 'list'>['list']>[0]['row']>().toEqualTypeOf<Rows['row']>()
})

test('clients may send items while they are read, and get them so from stream()', () => {
  expectTypeOf<{ title: string } & Rows>().toExtend<Parameters<SoapClient<Port>['send']>[1]>()
  type Reply = Awaited<ReturnType<SoapClient<Port>['stream']>>
  expectTypeOf<Rows>().toExtend<Extract<Reply['output'], object>>()
})
