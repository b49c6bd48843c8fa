// Written by `svc-soap types`. Changes are lost when it runs again.

export interface Price {
  value: string
  '@currency': string
}

export interface GetPrice {
  Item: string
  Category: string
}

export interface GetPriceResponse {
  Price: Price
  Availability: string
}

export interface GetQuote {
  Item: string
  Category: string
  Quantity: number
}

export interface GetQuoteResponse {
  UnitPrice: Price
  Total: Price
  Availability: string
}

export interface ItemNotFound {
  Item: string
  Category: string
}

export interface InsufficientStock {
  Item: string
  Available: number
}

export interface ClientContext {
  application: string
  requestId: string
}

export interface Validity {
  requestId: string
  validUntil: string
}

export interface Authentication {
  Username: string
  Password: string
  '@any'?: readonly { uri: string; local: string; value: string }[]
}

export interface ServiceFault {
  timestamp: string
  status: number
  error: string
  message: string
  path: string
  correlationId?: string
}

export type PricePortType = {
  GetPrice: { input: GetPrice; output: GetPriceResponse; faults: { ServiceFault: ServiceFault } }
  /** Returns the price of several pieces of an item, and until when it is valid. */
  GetQuote: {
    input: GetQuote
    output: GetQuoteResponse
    faults: { ItemNotFound: ItemNotFound; InsufficientStock: InsufficientStock; ServiceFault: ServiceFault }
    inputHeaders: { clientContext: ClientContext }
    outputHeaders: { validity: Validity }
  }
}
