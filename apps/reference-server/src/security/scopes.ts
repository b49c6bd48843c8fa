import { listNames } from '../messages/messages.ts'
import scopes from './scopes.json' with { type: 'json' }

export type Role = keyof typeof scopes.roles

export const ROLES = listNames(scopes.roles)

const scopesByRole = new Map(ROLES.map((role) => [role, scopes.roles[role].flatMap(expand)]))

export const ALL_SCOPES: readonly string[] = scopesByRole.get('admin') ?? []

// `*` means every resource.
function expand(scope: string): string[] {
  return scope.startsWith('*') ? scopes.resources.map((name) => name + scope.slice(1)) : [scope]
}

export function listScopes(roles: readonly Role[]): ReadonlySet<string> {
  return new Set(roles.flatMap((role) => scopesByRole.get(role) ?? []))
}

/** Returns the roles of this service among some names. The spelling must match. */
export function knownRoles(names: readonly unknown[]): Role[] {
  return ROLES.filter((role) => names.includes(role))
}
