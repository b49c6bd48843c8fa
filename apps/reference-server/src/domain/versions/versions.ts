import type { ApiVersion } from '../../engine/index.ts'
import { v2 } from './v2.ts'

/** The API versions of the service, oldest first. Version 1 shows every item as it is stored. */
export const apiVersions: readonly ApiVersion[] = [{ name: '1' }, v2]
