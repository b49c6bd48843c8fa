import { collection } from '../engine/define.ts'
import { moment, prose, text } from '../engine/fields.ts'
import { described, optional, readOnly } from '../engine/modifiers.ts'

/** Events that were logged over SOAP. */
export const soapEvents = collection({
  name: 'soap-events',
  item: 'soap-event',
  description: 'Events that clients logged over SOAP.',
  example: {
    id: 1,
    type: 'LOGIN',
    timestamp: '2026-01-05T08:00:00.000Z',
    source: 'crm',
    detail: 'Signed in from the office',
    subject: 'user:6cc5a5f38e8387ca7fde8b60a8ea4bb0',
    createdAt: '2026-01-05T08:00:01.000Z',
  },
  table: 'soap_events',
  fields: {
    type: described(readOnly(text({ max: 64 })), 'Kind of event.'),
    timestamp: described(readOnly(moment()), 'When it happened.'),
    source: described(readOnly(text({ max: 1000 })), 'System that reported it.'),
    detail: described(optional(readOnly(prose({ max: 100_000 }))), 'More about it.'),
    subject: described(readOnly(text({ max: 200 })), 'User who logged it.'),
    createdAt: described(readOnly(moment()), 'When it was created.'),
  },
  sort: ['type', 'timestamp', 'source', 'createdAt'],
  filters: ['type', 'timestamp', 'source', 'createdAt'],
  methods: ['GET'],
  cache: 'private',
})
