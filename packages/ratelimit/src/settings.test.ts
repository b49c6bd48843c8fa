import { clientIp, ipKey, memoryStore, rateLimit, rateLimitOf } from '@svc/ratelimit'
import { rateLimit as rateLimitFetch } from '@svc/ratelimit/fetch'
import { postgresStore } from '@svc/ratelimit/stores/postgres'
import { redisStore } from '@svc/ratelimit/stores/redis'
import { sqliteStore } from '@svc/ratelimit/stores/sqlite'
import { expect, test } from 'vitest'

test.each<[object, string]>([
  [{ limts: 5 }, 'ratelimit: unknown option "limts", did you mean "limits"?'],
  [{}, "rate must be a rate such as '100/15m', got undefined; or set limits"],
  [{ limits: [] }, 'limits must be a list of at least one limit, got an array'],
  [{ limits: [{ rate: '1/s' }, { rate: '1/s' }] }, 'limits must have different names, got "1/s" twice'],
  [{ limits: [{ rate: () => '1/s' }, { rate: '1/s' }] }, 'each of several limits must have a name'],
  [{ limits: [{ rate: '1/s', brust: 2 }] }, 'unknown option "brust", did you mean "burst"?'],
  [{ limits: [{ rate: '1/s' }], burst: 2 }, 'burst cannot be combined with limits; set it on each entry of limits'],
  [{ rate: '1/s', by: 'address' }, 'by must be a function or one of client, user, ip'],
  [{ rate: '1/s', by: 7 }, 'by must be a function or one of'],
  [{ rate: '1/s', unit: 'b"y' }, 'unit must be 1 to 64 printable ASCII characters'],
  [{ rate: '1/s', windowStart: 'utc' }, "windowStart must be one of 'per-key', 'epoch', got \"utc\""],
  [{ rate: '1/s', windowStart: 'epoch' }, 'windowStart must be combined with fixed-window, got gcra'],
  [{ limits: [null] }, 'ratelimit: options must be an object, got null'],
  [{ limits: [{}, {}] }, "rate must be '100/15m', { limit, windowMs } or a function, got undefined"],
  [{ rate: '1/s', cost: -1 }, 'cost must be a non-negative integer, got -1'],
  [{ rate: '1/s', skip: true }, 'skip must be a function, got true'],
  [{ rate: '1/s', store: {} }, 'store must be a RateLimitStore such as memoryStore(), got an object'],
  [{ rate: '1/s', store: { consume() {} } }, 'store must be a RateLimitStore such as memoryStore(), got an object'],
  [{ rate: '1/s', storeTimeoutMs: 0 }, 'storeTimeoutMs must be an integer from 1'],
  [
    { rate: '1/s', onStoreError: 'opne' },
    "onStoreError must be one of 'allow', 'reject', 'local', or a function, got \"opne\"",
  ],
  [{ rate: '1/s', headers: 'draft-9' }, "headers must be one of 'x-ratelimit', 'draft-11'"],
  [{ rate: '1/s', headers: 'draft-9', reportOnly: true }, "headers must be one of 'x-ratelimit', 'draft-11'"],
  [{ rate: '1/s', headers: ['draft-7', 'draft-6'] }, 'headers must name at most one draft'],
  [{ rate: '1/s', resetFormat: 'seconds' }, "resetFormat must be one of 'epoch', 'delta'"],
  [{ rate: '1/s', retryJitterSeconds: -1 }, 'retryJitterSeconds must be an integer of 0 or more, got -1'],
  [{ rate: '1/s', ipv6Subnet: 16 }, 'ipv6Subnet must be an integer from 32 to 128, got 16'],
  [{ rate: '1/s', trustProxy: true }, 'trustProxy must be a number of hops'],
  [{ rate: '1/s', allowList: ['1.2.3.4/40'] }, 'allowList must contain addresses and networks'],
  [undefined as never, "options must be a rate such as '100/15m' or an object, got undefined"],
  [null as never, "options must be a rate such as '100/15m' or an object, got null"],
  [100 as never, "options must be a rate such as '100/15m' or an object, got 100"],
  [{ rate: 0 }, "rate must be '100/15m', { limit, windowMs } or a function, got 0"],
  [{ rate: { limit: 0, windowMs: 1000 } }, 'rate.limit must be an integer from 1 to 1000000000, got 0'],
  [{ rate: { limit: '10', windowMs: 1000 } }, 'rate.limit must be an integer from 1 to 1000000000, got "10"'],
  [{ limit: 100, windowMs: 60_000 }, 'ratelimit: unknown option "limit", did you mean "rate"?'],
  [{ max: 100 }, 'unknown option "max", did you mean "rate"?'],
  [{ points: 5, duration: 60 }, 'unknown option "points", did you mean "rate"?'],
  [{ rate: '1/s', keyGenerator: () => 'k' }, 'unknown option "keyGenerator", did you mean "by"?'],
  [{ rate: '1/s', allowList: '10.0.0.0/8' }, 'allowList must be an array of strings, got "10.0.0.0/8"'],
  [{ rate: '1/s', denyList: {} }, 'denyList must be an array of strings, got an object'],
  [{ rate: '1/s', reportOnly: 'yes' }, 'reportOnly must be true or false, got "yes"'],
  [{ rate: '1/s', partitionSalt: 7 }, 'partitionSalt must be a string, got 7'],
  [{ rate: '1/s', partitionSalt: '' }, 'partitionSalt must not be empty'],
  [{ rate: '1/s', group: 7 }, 'group must be a string, got 7'],
  [{ rate: '1/s', onRefused: 'jsno' }, "onRefused must be one of 'next', 'json', or a function, got \"jsno\""],
  [{ rate: '1/s', warnings: 'none' }, 'ratelimit: warnings must be true, false or an object by code, got "none"'],
  [
    { rate: '1/s', warnings: { WRN_RATELIMIT_STORE_DWN: false } },
    'ratelimit: warnings: unknown option "WRN_RATELIMIT_STORE_DWN", did you mean "WRN_RATELIMIT_STORE_DOWN"?',
  ],
  [{ rate: '1/s', instances: 0 }, 'instances must be an integer of 1 or more, got 0'],
])('rejects %j at startup', (options, message) => {
  expect(() => rateLimit(options as never)).toThrow(message)
})

test.each<[unknown, unknown[], string]>([
  [rateLimitFetch, [], "ratelimit: options must be a rate such as '100/15m' or an object, got undefined"],
  [rateLimitFetch, [42], "ratelimit: options must be a rate such as '100/15m' or an object, got 42"],
  [rateLimitFetch, [{ rate: '1/s', onRefused: 'next' }], "onRefused must be one of 'json', 'throw', or a function"],
  [rateLimitFetch, [{ rate: '1/s', ip: '::1' }], 'ratelimit: ip must be a function, got "::1"'],
  [memoryStore, [{ now: 5 }], 'ratelimit: memoryStore: now must be a function, got 5'],
  [redisStore, [async () => 1, { prefix: 5 }], 'ratelimit: redisStore: prefix must be a string, got 5'],
  [redisStore, [async () => 1, { cluster: 'no' }], 'ratelimit: redisStore: cluster must be true or false, got "no"'],
  [sqliteStore, [], 'ratelimit: sqliteStore: database must be an SqliteDatabase such as'],
  [postgresStore, [], 'ratelimit: postgresStore: pool must be a PostgresPool such as Pool of pg, got undefined'],
  [
    postgresStore,
    [{ connect: async () => {} }, { createTable: 'no' }],
    'ratelimit: postgresStore: createTable must be true or false, got "no"',
  ],
])('%o rejects %j', (create, args, message) => {
  expect(() => (create as (...args: unknown[]) => unknown)(...args)).toThrow(message)
})

test.each<[unknown, unknown[], string]>([
  [clientIp, [], 'clientIp: req must be a request of node:http, got undefined'],
  [clientIp, [new Request('http://a.example')], 'clientIp: req must be a request of node:http, got an object'],
  [ipKey, [], 'ipKey: ip must be a string, got undefined'],
  [ipKey, ['2001:db8::1', 200], 'ipKey: ipv6Subnet must be an integer from 32 to 128, got 200'],
  [ipKey, ['2001:db8::1', Number.NaN], 'ipKey: ipv6Subnet must be an integer from 32 to 128, got NaN'],
  [rateLimitOf, [null], 'req must be a request, got null'],
])('%o rejects %j', (call, args, message) => {
  expect(() => (call as (...args: unknown[]) => unknown)(...args)).toThrow(new TypeError(`ratelimit: ${message}`))
})
