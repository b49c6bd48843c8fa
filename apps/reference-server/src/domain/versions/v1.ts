import type { ApiVersion } from '../../engine/versions.ts'

/** Every item as it is stored. */
export const v1: ApiVersion = { name: '1' }
