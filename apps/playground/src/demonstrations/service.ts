import { type Demonstrations, publicly, step } from './steps.ts'

/** Rules of the whole service, its resources and its limits. */
export const service: Demonstrations = {
  '1-resources': [step('/employees/1', { headers: { 'content-type': '^application/json' } })],
  '1-representations': [
    step('/employees/1', { sends: { Accept: 'application/xml' }, body: '<employee>' }),
    step('/employees', { sends: { Accept: 'text/csv' }, body: '^id,name' }),
    step('/employees/1', { sends: { Accept: 'text/html' }, body: '<h1[^>]*>Employee 1' }),
    step('/employees/1', { sends: { Accept: 'text/plain' }, body: '^id: 1' }),
  ],
  '1-1': [step('/employees/1', { headers: { 'set-cookie': null } }), publicly('/employees/1', { status: 401 })],
  '1-2': [
    publicly('/products/1', { headers: { 'cache-control': 'max-age' } }),
    step('/employees/1', { headers: { 'cache-control': '^private' } }),
  ],
  '1-3': [publicly('/health', { sends: { Via: '1.1 proxy' }, headers: { 'x-correlation-id': '.' } })],
  '2-employee': [
    step('/employees/1', { body: '"id":1,"name":".+","department":".+","salary":\\d' }),
    step('/employees/1', { sends: { Accept: 'application/xml' }, body: '<id>1</id><name>.+</name><department>' }),
  ],
  '2-order': [step('/orders/1', { body: '"id":1.*"status":"[A-Z]+".*"_links":\\{' })],
  '2-error': [
    step('/employees/999999', {
      status: 404,
      body: '"timestamp":.*"status":404.*"error":.*"message":.*"path":"/employees/999999"',
    }),
  ],
  '2-links': [
    step('/orders/3', { sends: { Accept: 'application/hal+json' }, body: '"self":\\{"href":"[^"]*/orders/3"\\}' }),
  ],
  '2-relations': [
    step('/employees?page=1&size=2', { body: '"previous":.*"next":.*"last":' }),
    step('/orders/3', { body: '"update":.*"delete":.*"cancel":.*"payment":' }),
    step('/orders/2', { body: '"invoice":.*"tracking":|"tracking":.*"invoice":' }),
  ],
  '2-1': [
    step('/employees/1', { body: '"self":\\{"href":"[^"]*/employees/1"' }),
    step('/employees', { body: '"self":' }),
  ],
  '2-2': [
    step('/employees?size=1&page=3', { keep: { next: 'json /_links/next/href' }, body: '"next":' }),
    step('{next}', { body: '"items":' }),
    step('/departments/5', { keep: { employees: 'json /_links/employees/href' } }),
    step('{employees}', { body: '"department":"HR"' }),
  ],
  '2-3': [step('/orders/3', { body: '"self":' }), step('/customers/1', { body: '"self":' })],
  '3-order': [
    step('/orders?status=PAID&size=1', { body: '"status":"PAID"' }),
    step('/orders?status=SHIPPED&size=1', { body: '"status":"SHIPPED"' }),
    step('/orders/2', { method: 'PATCH', json: { status: 'CREATED' }, status: 409, body: 'ILLEGAL_TRANSITION' }),
  ],
  '6-events': [publicly('/webhooks', { status: 404 })],
  '8-1': [
    publicly('/play/ratelimit/calls?policy=gcra&client=rule-{run}', {
      times: 8,
      status: { 200: 5, 429: 3 },
      headers: { 'x-ratelimit-limit': '^5$', 'x-ratelimit-remaining': '^\\d$', 'x-ratelimit-reset': '^\\d+$' },
    }),
    publicly('/play/ratelimit/calls?policy=gcra&client=rule-{run}', {
      status: 429,
      headers: { 'retry-after': '^\\d+$' },
    }),
  ],
  '8-2': [
    publicly('/employees', { sends: { 'X-Demo-Fault': '503' }, status: 503, headers: { 'retry-after': '^\\d+$' } }),
  ],
  '8-3': [
    step('/employees?size=5000', { body: '"size":100' }),
    step('/employees', { headers: { 'x-ratelimit-limit': '^\\d+$' } }),
  ],
}
