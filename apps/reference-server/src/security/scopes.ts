export const ROLES = ['admin', 'staff', 'reader', 'customer'] as const

export type Role = (typeof ROLES)[number]

/** Names of everything that can be read and written. */
const SCOPED = [
  'employees',
  'departments',
  'projects',
  'products',
  'categories',
  'reviews',
  'customers',
  'orders',
  'payments',
  'cart',
  'users',
  'accounts',
  'transfers',
  'operations',
  'notifications',
  'soap-events',
] as const

const reads = SCOPED.map((name) => `${name}:read`)
const writes = SCOPED.map((name) => `${name}:write`)
const staffWrites = ['employees', 'departments', 'projects', 'orders', 'products'].map((name) => `${name}:write`)
const customer = ['orders', 'payments', 'cart', 'accounts', 'transfers', 'reviews'].flatMap((name) => [
  `${name}:read`,
  `${name}:write`,
])

const SCOPES_OF_ROLES: Readonly<Record<Role, readonly string[]>> = {
  admin: [...reads, ...writes, 'orders:fulfil', 'users:admin', 'health:read', 'soap:call', 'export'],
  staff: [...reads, ...staffWrites, 'operations:write', 'orders:fulfil', 'soap:call', 'export'],
  reader: reads,
  customer: [...customer, 'customers:read', 'users:read', 'users:write', 'operations:read', 'operations:write'],
}

export const ALL_SCOPES: readonly string[] = SCOPES_OF_ROLES.admin

export function listScopes(roles: readonly Role[]): ReadonlySet<string> {
  return new Set(roles.flatMap((role) => SCOPES_OF_ROLES[role]))
}

/** Returns the roles of this service among some names. The spelling must match. */
export function knownRoles(names: readonly unknown[]): Role[] {
  return ROLES.filter((role) => names.includes(role))
}
