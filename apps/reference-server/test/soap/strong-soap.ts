import { createRequire } from 'node:module'

// strong-soap brings no types: those of what the tests use.
interface StrongSoap {
  soap: {
    createClient(url: string, options: object, done: (error: unknown, client: StrongClient) => void): void
    WSSecurity: new (username: string, password: string, options: object) => object
  }
}

type Done = (error: unknown, output: unknown, body: unknown, headers: unknown) => void

/** A client whose operations are methods. */
export type StrongClient = Record<string, (input: object, done: Done) => void> & {
  addSoapHeader(value: object | string, name?: { nsURI: string; name: string }): void
  setSecurity(security: object): void
}

const { soap } = createRequire(import.meta.url)('strong-soap') as StrongSoap

/** Creates a client from a WSDL; with a user name, it sends a UsernameToken. */
export function connectStrongSoap(wsdl: string, username?: string): Promise<StrongClient> {
  return new Promise((resolve, reject) => {
    soap.createClient(wsdl, {}, (error, client) => {
      if (error) return reject(error)
      if (username) client.setSecurity(new soap.WSSecurity(username, `${username}-demo`, { hasTimeStamp: false }))
      resolve(client)
    })
  })
}

/**
 * Calls an operation, whose element the input has around it unless the two have one name. A fault
 * rejects with its parsed message in `root`.
 */
export function callStrongSoap(
  client: StrongClient,
  operation: string,
  input: object,
): Promise<{ output: unknown; headers: unknown }> {
  return new Promise((resolve, reject) => {
    client[operation]?.(input, (error, output, _, headers) => (error ? reject(error) : resolve({ output, headers })))
  })
}
