import { collection } from '../engine/define.ts'
import { moment, prose, text } from '../engine/fields.ts'
import { readOnly } from '../engine/modifiers.ts'

/** Notifications that were sent over SOAP. */
export const notifications = collection({
  name: 'notifications',
  item: 'notification',
  fields: {
    message: readOnly(prose({ max: 100_000 })),
    subject: readOnly(text({ max: 200 })),
    createdAt: readOnly(moment()),
  },
  sort: ['createdAt'],
  filters: ['createdAt'],
  methods: ['GET'],
  cache: 'private',
})
