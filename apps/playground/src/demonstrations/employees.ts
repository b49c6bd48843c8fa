import { type Demonstrations, dismiss, hire, step } from './steps.ts'

const complete = { name: 'Grace {run}', department: 'Sales', salary: 6000 }

/** The employee collection. */
export const employees: Demonstrations = {
  '4.1-paths': [step('/employees'), step('/employees.json', { status: 404 })],
  '4.1-list': [step('/employees?page=0&size=5&sort=name', { body: '"items":\\[.*"page":\\{' })],
  '4.1-get': [step('/employees/1', { body: '"id":1\\b' })],
  '4.1-post': [
    step('/employees', {
      method: 'POST',
      json: complete,
      status: 201,
      keep: { id: 'json /id' },
      headers: { location: '/employees/\\d+$' },
    }),
    dismiss(),
  ],
  '4.1-put': [
    hire(),
    step('/employees/{id}', { method: 'PUT', json: complete, body: '"department":"Sales","salary":6000' }),
    dismiss(),
  ],
  '4.1-patch': [
    hire(),
    step('/employees/{id}', {
      method: 'PATCH',
      json: { salary: 5100 },
      body: '"department":"Engineering","salary":5100',
    }),
    dismiss(),
  ],
  '4.1-delete': [hire(), step('/employees/{id}', { method: 'DELETE', status: 204, body: '' })],
  '4.1-head': [step('/employees', { method: 'HEAD', body: '', headers: { 'content-type': 'json' } })],
  '4.1-options': [
    step('/employees', { method: 'OPTIONS', status: 204, headers: { allow: 'GET, HEAD, OPTIONS, POST' } }),
  ],
  '4.1-1': [
    step('/employees/1', { keep: { tag: 'header etag' } }),
    step('/employees/1', { method: 'HEAD', body: '' }),
    step('/employees/1', { sends: { 'If-None-Match': '{tag}' }, status: 304 }),
  ],
  '4.1-2': [
    hire(),
    step('/employees/{id}', { method: 'PUT', json: complete }),
    step('/employees/{id}', { method: 'PUT', json: complete, body: '"salary":6000' }),
    step('/employees/{id}', { method: 'PUT', json: { salary: 1 }, status: 400 }),
    dismiss(),
  ],
  '4.1-3': [
    hire(),
    step('/employees/{id}', { method: 'PATCH', json: { salary: 5100 }, body: '"name":"Grace {run}"' }),
    dismiss(),
  ],
  '4.1-4': [
    hire('Twice {run}'),
    step('/employees', {
      method: 'POST',
      json: { name: 'Twice {run}', department: 'Engineering', salary: 5000 },
      status: 201,
      keep: { other: 'json /id' },
    }),
    step('/employees?name=Twice%20{run}', { body: '"totalElements":2' }),
    dismiss(),
    step('/employees/{other}', { method: 'DELETE', status: 204 }),
  ],
  '4.1-5': [
    hire(),
    dismiss(),
    step('/employees/{id}', { method: 'DELETE', status: 404 }),
    step('/employees/{id}', { status: 404 }),
  ],
  '4.1-6': [step('/employees/999999', { status: 404 })],
  '4.1-7': [hire(), dismiss()],
  '4.1-9': [
    step('/employees?page=1&size=3&sort=-salary', { body: '"number":1,"size":3' }),
    step('/employees?department=Sales&city=Paris', { body: '"items":\\[' }),
  ],
  '4.1-10': [step('/employees', { body: '"page":\\{"number":0,"size":20,"totalElements":\\d+,"totalPages":\\d+\\}' })],
}
