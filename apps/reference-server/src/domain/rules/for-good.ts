/** What moves money: it is made once, whoever retries, is never changed afterwards, and may be made after the answer. */
export const FOR_GOOD = {
  methods: ['GET', 'POST'],
  idempotency: 'required',
  defers: true,
  cache: 'never',
} as const
