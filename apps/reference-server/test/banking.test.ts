import { expect, test } from 'vitest'
import { createShorthands, onEveryDatabase } from './service.ts'

const EUR = (amount: string): object => ({ amount, currency: 'EUR' })
let keys = 0
const key = (): Record<string, string> => ({ 'idempotency-key': `key-${keys++}` })

onEveryDatabase('accounts and transfers', (service) => {
  const { create, read, refused } = createShorthands(service)

  test('moves money, and refuses what cannot be moved', async () => {
    const transfer = (json: object, as = 'carl') => ({ as, method: 'POST', path: '/transfers', headers: key(), json })
    const base = { fromAccountId: 6, toAccountId: 7, amount: EUR('10.00') }
    const before = (await read('/accounts/6'))['balance'] as { amount: string }
    await service.check(transfer(base), { status: 201, body: { status: 'COMPLETED' } })
    const after = (await read('/accounts/6'))['balance'] as { amount: string }
    expect(Number(before.amount) - Number(after.amount)).toBeCloseTo(10)
    await refused(transfer({ ...base, toAccountId: 6 }), 422, 'SAME_ACCOUNT')
    await refused(transfer({ ...base, toAccountId: 9999 }), 422, 'UNKNOWN_REFERENCE')
    await refused(transfer({ ...base, toAccountId: 9 }), 422, 'CURRENCY_MISMATCH')
    await refused(transfer({ ...base, amount: EUR('99999999.00') }), 422, 'INSUFFICIENT_FUNDS')
    await refused(transfer({ ...base, amount: EUR('0.00') }), 422, 'BUSINESS_RULE')
    await refused(transfer(base, 'cora'), 403, 'FORBIDDEN')
    await refused({ ...transfer(base), headers: {} }, 400, 'IDEMPOTENCY_KEY_MISSING')
    const account = await create('/accounts', { currency: 'EUR' }, 'carl')
    await service.check({ as: 'carl', method: 'PATCH', path: account, json: { status: 'FROZEN' } }, { status: 200 })
    await refused(transfer({ ...base, toAccountId: Number(account.split('/')[2]) }), 422, 'ACCOUNT_NOT_OPEN')
    await service.check({ as: 'carl', path: '/accounts/6' }, { headers: { 'cache-control': 'no-store' } })
    await refused({ as: 'carl', path: '/accounts/7' }, 403, 'FORBIDDEN')
    const mine = (await read('/transfers?size=100', 'cora'))['items'] as {
      fromAccountId: number
      toAccountId: number
    }[]
    expect(
      mine.every(({ fromAccountId, toAccountId }) => [7, 9].includes(fromAccountId) || [7, 9].includes(toAccountId)),
    ).toBe(true)
  })

  test('keeps the sum of all balances under parallel transfers in both directions', async () => {
    const accounts = [await create('/accounts', { currency: 'EUR' }), await create('/accounts', { currency: 'EUR' })]
    const [a = 0, b = 0] = accounts.map((path) => Number(path.split('/')[2]))
    const move = (fromAccountId: number, toAccountId: number, amount: string) =>
      service.check(
        {
          as: 'ada',
          method: 'POST',
          path: '/transfers',
          headers: key(),
          json: { fromAccountId, toAccountId, amount: EUR(amount) },
        },
        {},
      )
    await move(1, a, '5.00')
    await move(1, b, '5.00')
    const moves = Array.from({ length: 20 }, (_, at) => (at % 2 ? move(a, b, '3.00') : move(b, a, '3.00')))
    for (const { status } of await Promise.all(moves)) expect([201, 422]).toContain(status)
    const balances = await Promise.all(
      accounts.map(async (path) => (await read(path))['balance'] as { amount: string }),
    )
    expect(balances.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(10)
    expect(balances.every(({ amount }) => Number(amount) >= 0)).toBe(true)
  })
})
