import type { Effort } from '../harness/measure.ts'
import type { Table } from '../harness/table.ts'
import { compare } from '../http/compare.ts'
import { getCustomer } from '../http/requests.ts'
import { FULL, QUIET, SOAP, SOAP_PACKAGE, withTargets } from '../http/targets.ts'

export const title = 'SOAP over HTTP'

/** The same look-up by the same contract. */
export function tables(effort: Effort): AsyncIterable<Table> {
  return withTargets([SOAP, SOAP_PACKAGE, QUIET, FULL], {}, async function* (targets) {
    yield await compare(
      {
        name: 'getCustomer',
        status: 200,
        note: 'node-soap asks for no credentials, checks no schema and keeps no log. The package on its own checks the schema.',
        request: getCustomer('/ws/customer', 'http://svc.example/ws/customer/v2'),
        goals: [
          {
            id: 'X4',
            figure: 'cpu',
            ours: SOAP_PACKAGE,
            against: SOAP,
            most: 0.6,
            reason:
              'node:http and the kernel, which both servers pay, are 0.35 already: the rest is at the goal, and differs by more between runs',
          },
          {
            id: 'P',
            figure: 'cpu',
            ours: FULL,
            against: SOAP,
            most: 0.8,
            reason: 'the call passes the stages of the server, which costs more than reading and writing the message',
          },
          {
            id: 'X3',
            figure: 'cpu',
            ours: FULL,
            against: SOAP,
            most: 0.4,
            struck:
              'node:http, Express and reading the message are 0.35 already, without credentials, limits, the schema and the row',
          },
        ],
      },
      targets,
      SOAP,
      effort,
    )
  })
}
