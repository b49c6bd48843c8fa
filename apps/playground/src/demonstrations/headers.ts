import { type Demonstrations, dismiss, hire, publicly, step } from './steps.ts'

/** Fields of requests and responses, and negotiation. */
export const headers: Demonstrations = {
  '4.3-accept': [
    step('/employees/1', { sends: { Accept: 'application/xml' }, headers: { 'content-type': '^application/xml' } }),
  ],
  '4.3-content-type': [
    step('/employees/1', { headers: { 'content-type': '^application/json' } }),
    step('/employees', { method: 'POST', sends: { 'Content-Type': 'text/csv' }, json: {}, status: 415 }),
    step('/employees/1', {
      method: 'PATCH',
      sends: { 'Content-Type': 'application/hal+json', Prefer: 'tx=rollback' },
      json: { city: 'Oslo', _links: { self: { href: '/employees/1' } } },
      body: '"city":"Oslo"',
    }),
  ],
  '4.3-accept-language': [
    step('/employees/1', {
      sends: { Accept: 'text/html', 'Accept-Language': 'de' },
      headers: { 'content-language': '^de$' },
      body: '<html lang="de">',
    }),
  ],
  '4.3-accept-encoding': [
    step('/employees', {
      sends: { 'Accept-Encoding': 'gzip, br' },
      headers: { 'content-encoding': '^(br|gzip|zstd)$' },
    }),
  ],
  '4.3-authorization': [
    step('/employees/1'),
    publicly('/employees/1', { sends: { Authorization: 'Basic eDp5' }, status: 401 }),
  ],
  '4.3-cache-control': [step('/employees/1', { sends: { 'Cache-Control': 'no-cache' } })],
  '4.3-if-none-match': [
    step('/employees/1', { keep: { tag: 'header etag' } }),
    step('/employees/1', { sends: { 'If-None-Match': '{tag}' }, status: 304, body: '' }),
  ],
  '4.3-if-match': [
    step('/employees/1', { method: 'PATCH', sends: { 'If-Match': '"another"' }, json: { city: 'Rome' }, status: 412 }),
  ],
  '4.3-if-modified-since': [
    step('/employees/9', { keep: { date: 'header last-modified' } }),
    step('/employees/9', { sends: { 'If-Modified-Since': '{date}' }, status: 304 }),
  ],
  '4.3-user-agent': [step('/employees/1', { sends: { 'User-Agent': 'anything' } })],
  '4.3-cookie': [publicly('/employees/1', { sends: { Cookie: 'session=1' }, status: 401 })],
  '4.3-correlation': [
    step('/employees/1', {
      sends: { 'X-Correlation-ID': 'rule-{run}' },
      headers: { 'x-correlation-id': '^rule-{run}$' },
    }),
  ],
  '4.3-idempotency-key': [
    step('/employees', {
      method: 'POST',
      sends: { 'Idempotency-Key': 'rule-{run}' },
      status: 201,
      keep: { id: 'json /id' },
      json: { name: 'Once {run}', department: 'Sales', salary: 1 },
    }),
    step('/employees', {
      method: 'POST',
      sends: { 'Idempotency-Key': 'rule-{run}' },
      status: 201,
      body: '"id":{id}\\b',
      json: { name: 'Once {run}', department: 'Sales', salary: 1 },
      headers: { 'idempotent-replayed': 'true' },
    }),
    dismiss(),
  ],
  '4.3-content-length': [step('/employees/1', { headers: { 'content-length': '^\\d+$' } })],
  '4.3-content-encoding': [
    step('/employees', {
      sends: { 'Accept-Encoding': 'gzip, br' },
      headers: { 'content-encoding': '.', vary: 'Accept-Encoding' },
    }),
  ],
  '4.3-etag': [step('/employees/1', { headers: { etag: '^"[^"]+"$' } })],
  '4.3-last-modified': [step('/employees/1', { headers: { 'last-modified': 'GMT$' } })],
  '4.3-location': [
    step('/employees', {
      method: 'POST',
      json: { name: 'New {run}', department: 'Sales', salary: 1 },
      status: 201,
      keep: { id: 'json /id' },
      headers: { location: '/employees/\\d+$' },
    }),
    dismiss(),
  ],
  '4.3-retry-after': [
    publicly('/health', { sends: { 'X-Demo-Fault': '429' }, status: 429, headers: { 'retry-after': '^\\d+$' } }),
  ],
  '4.3-set-cookie': [step('/employees/1', { headers: { 'set-cookie': null } })],
  '4.3-vary': [
    step('/employees/1', { sends: { Accept: 'application/vnd.svc.v2+json' }, headers: { vary: '\\bAccept\\b' } }),
  ],
  '4.3-cors': [publicly('/health', { headers: { 'access-control-allow-origin': '^\\*$' } })],
  '4.3-security': [
    publicly('/health', {
      headers: {
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'",
        'referrer-policy': 'no-referrer',
      },
    }),
  ],
  '4.3-ratelimit': [
    step('/employees/1', {
      headers: { 'x-ratelimit-limit': '^\\d+$', 'x-ratelimit-remaining': '^\\d+$', 'x-ratelimit-reset': '^\\d+$' },
    }),
  ],
  '4.3-allow': [step('/employees/1', { method: 'OPTIONS', status: 204, headers: { allow: 'DELETE, GET' } })],
  '4.3-1': [
    step('/employees', {
      sends: { Accept: 'text/html;q=0.9, text/csv;q=0.1', 'Accept-Language': 'fr', 'Accept-Encoding': 'br' },
      headers: { 'content-type': '^text/html', 'content-language': '^fr$', vary: 'Accept-Language' },
    }),
  ],
  '4.3-2': [
    step('/employees', {
      method: 'POST',
      sends: { 'Content-Type': 'application/json', Accept: 'application/xml' },
      status: 201,
      json: { name: 'Both {run}', department: 'Sales', salary: 1 },
      body: '<employee>',
      keep: { where: 'header location' },
    }),
    step('{where}', { method: 'DELETE', status: 204 }),
  ],
  '4.3-3': [
    step('/employees', { sends: { Accept: 'text/csv' }, headers: { 'content-type': '^text/csv' } }),
    step('/employees', { sends: { Accept: 'video/mp4' }, status: 406 }),
  ],
  '4.3-4': [
    hire(),
    step('/employees/{id}', { keep: { tag: 'header etag' } }),
    step('/employees/{id}', { sends: { 'If-None-Match': '{tag}' }, status: 304, body: '' }),
    dismiss(),
  ],
  '4.3-5': [
    publicly('/products', { headers: { 'cache-control': 'max-age' } }),
    step('/accounts', { headers: { 'cache-control': 'no-store' } }),
  ],
}
