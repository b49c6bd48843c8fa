import { type Demonstrations, dismiss, hire, publicly, step } from './steps.ts'

const json = { name: 'Grace {run}', department: 'Engineering', salary: 5000 }
const fault = (name: string): { 'X-Demo-Fault': string } => ({ 'X-Demo-Fault': name })

/** Statuses and errors. */
export const errors: Demonstrations = {
  '7-200': [step('/employees/1')],
  '7-201': [hire(), dismiss()],
  '7-204': [hire(), step('/employees/{id}', { method: 'DELETE', status: 204, body: '' })],
  '7-301': [step('/employees/', { status: 301 })],
  '7-302': [step('/users/me', { status: 302 })],
  '7-304': [
    step('/employees/1', { keep: { tag: 'header etag' } }),
    step('/employees/1', { sends: { 'If-None-Match': '{tag}' }, status: 304 }),
  ],
  '7-400': [
    step('/employees', { method: 'POST', json: { name: 'x' }, status: 400, body: '"errors":' }),
    step('/employees', { method: 'POST', sends: { 'Content-Type': 'application/json' }, text: '{', status: 400 }),
    step('/employees?page=x', { status: 400 }),
    step('/employees?dryRun=true', { method: 'POST', json, status: 400, body: '"code":"UNKNOWN_PARAMETER"' }),
  ],
  '7-401': [publicly('/employees', { status: 401, headers: { 'www-authenticate': 'Bearer' } })],
  '7-403': [step('/employees', { as: 'eve', method: 'POST', json, status: 403 })],
  '7-404': [step('/employees/999999', { status: 404 })],
  '7-406': [step('/employees', { sends: { Accept: 'image/webp' }, status: 406 })],
  '7-409': [step('/departments/1', { method: 'DELETE', status: 409, body: 'IN_USE' })],
  '7-415': [step('/employees', { method: 'POST', sends: { 'Content-Type': 'text/csv' }, text: 'a', status: 415 })],
  '7-422': [step('/employees', { method: 'POST', json: { ...json, salary: -1 }, status: 422 })],
  '7-429': [
    publicly('/play/ratelimit/calls?policy=gcra&client=status-{run}', { times: 6, status: { 200: 5, 429: 1 } }),
    publicly('/play/ratelimit/calls?policy=gcra&client=status-{run}', {
      status: 429,
      headers: { 'retry-after': '^\\d+$' },
    }),
  ],
  '7-500': [step('/employees/1', { sends: fault('500'), status: 500, body: '^(?!.*on purpose)' })],
  '7-503': [step('/employees/1', { sends: fault('store-down'), status: 503, headers: { 'retry-after': '^\\d+$' } })],
  '7-1': [
    step('/employees/999999', { status: 404, body: '"timestamp":.*"path":' }),
    step('/orders/999999', { status: 404, body: '"timestamp":.*"path":' }),
  ],
  '7-2': [
    step('/employees', { method: 'POST', json: { ...json, salary: 'many' }, status: 400 }),
    step('/employees', { method: 'POST', json: { ...json, salary: -1 }, status: 422 }),
  ],
  '7-3': [step('/employees/1', { sends: fault('store-down'), status: 503, body: '^(?!.*ECONNREFUSED)' })],
  '7-4': [
    step('/employees/1', { sends: { ...fault('500'), 'X-Correlation-ID': 'log-{run}' }, status: 500 }),
    publicly('/_demo/requests?id=log-{run}', { body: '"correlationId":"log-{run}"' }),
  ],
  '7-6': [step('/employees/999999', { status: 404, body: '"code":"NOT_FOUND"' })],
}
