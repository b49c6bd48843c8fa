import { ratelimit } from '@svc/ratelimit'
import { expect, test } from 'vitest'

test.each<[object, string]>([
  [{ limts: 5 }, 'ratelimit: unknown option "limts", did you mean "limits"?'],
  [{}, "ratelimit: needs a rate such as '100/15m', or limits"],
  [{ limits: [] }, 'limits must be a list of at least one limit, got an array'],
  [{ limits: [{ rate: '1/s' }, { rate: '1/s' }] }, 'two limits have the name "1/s"'],
  [{ limits: [{ rate: () => '1/s' }, { rate: '1/s' }] }, 'each of several limits needs a name'],
  [{ limits: [{ rate: '1/s', brust: 2 }] }, 'unknown option "brust", did you mean "burst"?'],
  [{ limits: [{ rate: '1/s' }], burst: 2 }, 'burst belongs into the entries of limits'],
  [{ rate: '1/s', key: 'ip' }, 'key must be a function or one of client, principal'],
  [{ rate: '1/s', by: 7 }, 'by must be a function or one of'],
  [{ rate: '1/s', unit: 'b"y' }, 'unit must be 1 to 64 printable ASCII characters'],
  [{ rate: '1/s', windows: 'utc' }, 'windows must be one of spread, epoch, got "utc"'],
  [{ rate: '1/s', cost: -1 }, 'cost must be a whole number from 0 on, got -1'],
  [{ rate: '1/s', skip: true }, 'skip must be a function, got true'],
  [{ rate: '1/s', store: {} }, 'store must be a RateLimitStore, got an object'],
  [{ rate: '1/s', storeTimeoutMs: 0 }, 'storeTimeoutMs must be an integer from 1'],
  [{ rate: '1/s', onStoreError: 'opne' }, 'onStoreError must be one of local, open, closed, got "opne"'],
  [{ rate: '1/s', headers: 'draft-9' }, 'headers must be one of x, draft-11'],
  [{ rate: '1/s', headers: ['draft-7', 'draft-6'] }, 'headers can hold one draft'],
  [{ rate: '1/s', reset: 'seconds' }, 'reset must be one of epoch, delta'],
  [{ rate: '1/s', retryJitter: -1 }, 'retryJitter must be whole seconds'],
  [{ rate: '1/s', ipv6Prefix: 16 }, 'ipv6Prefix must be an integer from 32 to 128, got 16'],
  [{ rate: '1/s', trustProxy: true }, 'trustProxy must be a number of hops'],
  [{ rate: '1/s', allow: ['1.2.3.4/40'] }, 'allow must hold addresses and networks'],
  [{ rate: '1/s', instances: 0 }, 'instances must be a positive integer'],
])('refuses %j at start', (options, message) => {
  expect(() => ratelimit(options as never)).toThrow(message)
})
