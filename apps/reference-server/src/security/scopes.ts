import scopes from './scopes.json' with { type: 'json' }

const { resources, roles: scopesOfRoles } = scopes

export type Role = keyof typeof scopesOfRoles

export const ROLES = Object.keys(scopesOfRoles) as Role[]

export const ALL_SCOPES: readonly string[] = scopesOfRoles.admin.flatMap(expand)

// `*` stands for every resource.
function expand(scope: string): string[] {
  return scope.startsWith('*') ? resources.map((name) => name + scope.slice(1)) : [scope]
}

export function listScopes(roles: readonly Role[]): ReadonlySet<string> {
  return new Set(roles.flatMap((role) => scopesOfRoles[role].flatMap(expand)))
}

/** Returns the roles of this service among some names. The spelling must match. */
export function knownRoles(names: readonly unknown[]): Role[] {
  return ROLES.filter((role) => names.includes(role))
}
