import { collections } from './collections.ts'
import { employees } from './employees.ts'
import { errors } from './errors.ts'
import { headers } from './headers.ts'
import { security } from './security.ts'
import { service } from './service.ts'
import { soap } from './soap.ts'
import type { Demonstrations } from './steps.ts'
import { versions } from './versions.ts'

/** The requests that show a rule, by its number. */
export const demonstrations: Demonstrations = {
  ...service,
  ...employees,
  ...collections,
  ...soap,
  ...headers,
  ...security,
  ...errors,
  ...versions,
}
