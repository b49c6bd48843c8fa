import { type ServiceSettings, type SoapService, soapService } from '@svc/soap-envelope'
import { contractsOf } from './contracts.ts'
import {
  type CustomerDirectory,
  customerOperations,
  type EventLog,
  type PriceList,
  priceOperations,
} from './operations.ts'

/** The service at /ws/customer, versions 1 and 2 side by side: the namespace of a message chooses. */
export function customerService(customers: CustomerDirectory, log: EventLog, settings: ServiceSettings): SoapService {
  const operations = customerOperations(customers, log)
  return soapService({ ...settings, versions: contractsOf('customer').map((wsdl) => ({ wsdl, operations })) })
}

/** The service at /ws/PriceService. */
export function priceService(prices: PriceList, settings: ServiceSettings): SoapService {
  const operations = priceOperations(prices)
  return soapService({ ...settings, versions: contractsOf('price').map((wsdl) => ({ wsdl, operations })) })
}
