// Written by `svc-soap types`. Changes are lost when it runs again.

export interface Customer {
  id: bigint
  name: string
  email: string
  phone?: string
}

export interface Event {
  type: string
  timestamp: string
  source: string
  detail?: string
}

export interface GetCustomerRequest {
  customerId: bigint
}

export interface GetCustomerResponse {
  customer: Customer
}

export interface CreateCustomerRequest {
  customer: Customer
}

export interface CreateCustomerResponse {
  customerId: bigint
}

export interface LogEventRequest {
  event: Event
}

export interface SendNotificationRequest {
  message: string
}

export interface GetOrderDocumentRequest {
  orderId: bigint
}

export interface GetOrderDocumentResponse {
  fileName: string
  mediaType: string
  /** application/pdf */
  document: Uint8Array
}

export interface VerifyOrderDocumentRequest {
  orderId: bigint
  /** application/pdf */
  document: Uint8Array
}

export interface VerifyOrderDocumentResponse {
  isGenuine: boolean
}

export interface OrderNotFound {
  orderId: bigint
}

export interface DocumentNotAvailable {
  orderId: bigint
  orderStatus: string
}

export interface ClientContext {
  application: string
  requestId: string
}

export interface Receipt {
  requestId: string
  issuedAt: string
  sha256: Uint8Array
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

export type CustomerPortType = {
  getCustomer: { input: GetCustomerRequest; output: GetCustomerResponse; faults: { ServiceFault: ServiceFault } }
  createCustomer: {
    input: CreateCustomerRequest
    output: CreateCustomerResponse
    faults: { ServiceFault: ServiceFault }
  }
  logEvent: { input: LogEventRequest; output: void }
  sendNotification: { input: SendNotificationRequest; output: void }
  /**
   * Returns the invoice of an order as a PDF file. Clients that ask for attachments get it as one
   * (MTOM).
   */
  getOrderDocument: {
    input: GetOrderDocumentRequest
    output: GetOrderDocumentResponse
    faults: { OrderNotFound: OrderNotFound; DocumentNotAvailable: DocumentNotAvailable; ServiceFault: ServiceFault }
    inputHeaders: { clientContext: ClientContext }
    outputHeaders: { receipt: Receipt }
  }
  /**
   * Checks whether a PDF file is the invoice of an order, byte for byte. The file may be an
   * attachment (MTOM).
   */
  verifyOrderDocument: {
    input: VerifyOrderDocumentRequest
    output: VerifyOrderDocumentResponse
    faults: { OrderNotFound: OrderNotFound; DocumentNotAvailable: DocumentNotAvailable; ServiceFault: ServiceFault }
    inputHeaders: { clientContext: ClientContext }
    outputHeaders: { receipt: Receipt }
  }
}
