import { collection } from '../engine/define.ts'
import { moment, prose, text } from '../engine/fields.ts'
import { optional, readOnly } from '../engine/modifiers.ts'

/** Events that were logged over SOAP. */
export const soapEvents = collection({
  name: 'soap-events',
  item: 'soap-event',
  table: 'soap_events',
  fields: {
    type: readOnly(text({ max: 64 })),
    timestamp: readOnly(moment()),
    source: readOnly(text({ max: 1000 })),
    detail: optional(readOnly(prose({ max: 100_000 }))),
    subject: readOnly(text({ max: 200 })),
    createdAt: readOnly(moment()),
  },
  sort: ['type', 'timestamp', 'source', 'createdAt'],
  filters: ['type', 'timestamp', 'source', 'createdAt'],
  methods: ['GET'],
  cache: 'private',
})
