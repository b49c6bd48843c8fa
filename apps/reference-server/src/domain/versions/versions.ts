import type { ApiVersion } from '../../engine/versions.ts'
import { v1 } from './v1.ts'
import { v2 } from './v2.ts'

/** The API versions of the service, oldest first. */
export const apiVersions: readonly ApiVersion[] = [v1, v2]
