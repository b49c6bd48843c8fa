/** A message of each operation that the seed data can answer, for people to try. */
export const SAMPLES: Readonly<Record<string, unknown>> = {
  getCustomer: { customerId: 1n },
  createCustomer: { customer: { id: 4711n, name: 'Katherine Johnson', email: 'katherine@example.org' } },
  logEvent: { event: { type: 'login', timestamp: '2026-11-21T07:30:00Z', source: 'web', detail: 'from the page' } },
  sendNotification: { message: 'Hello from the page.' },
  GetPrice: { Item: 'Laptop', Category: 'Electronics' },
}
