import {
  type ActionContext,
  type ActionResult,
  type AppDependencies,
  createSoapService,
  type Route,
  route,
} from '../../../reference-server/src/index.ts'
import { callSoap, type SoapServices } from './call.ts'
import { parseCall } from './call-form.ts'
import { soapPlaygroundPage } from './page.ts'

const common = { scope: undefined, tag: 'playground', cost: 2 } as const

/** /play/soap: the page that calls both services, and the file that a call returned. */
export function soapRoutes(dependencies: AppDependencies): Route[] {
  let created: SoapServices | undefined
  const services = (): SoapServices => {
    created ??= {
      customers: createSoapService('/ws/customer', dependencies),
      prices: createSoapService('/ws/PriceService', dependencies),
    }
    return created
  }
  const page = async ({ search }: ActionContext): Promise<ActionResult> => {
    const form = parseCall(search)
    const call = form && (await callSoap(form, services()))
    const content = { kind: 'record', name: 'soap', value: {}, page: soapPlaygroundPage(form, call) } as const
    return { status: 200, cache: 'never', content }
  }
  const file = async ({ search }: ActionContext): Promise<ActionResult> => {
    const form = parseCall(search)
    const { file } = form ? await callSoap(form, services()) : {}
    // The page shows why there is none.
    if (!file) return { status: 302, cache: 'never', location: `/play/soap?${search}` }
    return { status: 200, cache: 'never', file: { type: file.type, name: file.name, bytes: file.bytes } }
  }
  return [
    route('/play/soap', {
      GET: {
        ...common,
        ...info('getSoapPlayground', 'the SOAP playground'),
        kind: 'record',
        record: 'soap',
        run: page,
      },
    }),
    route('/play/soap/document', {
      GET: { ...common, ...info('getSoapDocument', 'the document of a SOAP response'), kind: 'none', run: file },
    }),
  ]
}

function info(operationId: string, what: string) {
  return { operationId, summary: `Get ${what}`, description: `Returns ${what}.` }
}
