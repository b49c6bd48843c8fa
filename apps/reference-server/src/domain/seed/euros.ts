import { loadMoney, type Money } from '../../engine/money.ts'

/** An amount of the demo data, which is in euros. */
export function euros(cents: number): Money {
  return loadMoney({ amount: cents, amountCurrency: 'EUR' }, 'amount')
}
