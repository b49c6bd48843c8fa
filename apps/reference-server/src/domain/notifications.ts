import { collection } from '../engine/define.ts'
import { moment, prose, text } from '../engine/fields.ts'
import { described, readOnly } from '../engine/modifiers.ts'

/** Notifications that were sent over SOAP. */
export const notifications = collection({
  name: 'notifications',
  item: 'notification',
  description: 'Notifications that clients sent over SOAP.',
  example: {
    id: 1,
    message: 'Stock of ELE-0001 is low',
    subject: 'user:6cc5a5f38e8387ca7fde8b60a8ea4bb0',
    createdAt: '2026-01-05T08:00:00.000Z',
  },
  fields: {
    message: described(readOnly(prose({ max: 100_000 })), 'Text of the notification.'),
    subject: described(readOnly(text({ max: 200 })), 'User who sent it.'),
    createdAt: described(readOnly(moment()), 'When it was created.'),
  },
  sort: ['createdAt'],
  filters: ['createdAt'],
  methods: ['GET'],
  cache: 'private',
})
