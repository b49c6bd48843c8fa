import type { TextKey } from './texts.ts'

/** A call to try: a shell line and the response that it gets. */
export interface Example {
  says: TextKey
  path: string
  /** Arguments of curl after the URL, each in the quotes that a shell needs. */
  arguments: string
  status: number
  /** A pattern that the response matches. */
  gives: RegExp
}

const ADA = '-u ada:ada-demo'
const JSON_TYPE = "-H 'Content-Type: application/json'"

/** The calls that the start prints; the tests run each of them. */
export const examples: readonly Example[] = [
  {
    ...{ says: 'example.page', path: '/employees?size=2' },
    ...{ arguments: ADA, status: 200, gives: /"totalElements":137/ },
  },
  {
    ...{ says: 'example.xml', path: '/employees/1' },
    ...{ arguments: `${ADA} -H 'Accept: application/xml'`, status: 200, gives: /<employee><id>1<\/id>/ },
  },
  {
    ...{ says: 'example.create', path: '/employees' },
    arguments: `${ADA} ${JSON_TYPE} -d '{"name":"Grace Hopper","department":"Engineering","salary":5000}'`,
    ...{ status: 201, gives: /"name":"Grace Hopper"/ },
  },
  {
    ...{ says: 'example.order', path: '/orders/3' },
    arguments: `${ADA} -H 'Accept: application/hal+json'`,
    ...{ status: 200, gives: /"payment":\{"href":"\/orders\/3\/payment"\}/ },
  },
  {
    ...{ says: 'example.token', path: '/tokens' },
    ...{ arguments: `${ADA} -d grant_type=client_credentials`, status: 200, gives: /"token_type":"Bearer"/ },
  },
  {
    ...{ says: 'example.error', path: '/employees/999' },
    ...{ arguments: ADA, status: 404, gives: /"code":"NOT_FOUND"/ },
  },
]

/** A line to paste into a shell. */
export function curlLine({ path, arguments: rest }: Example, url: string, flags = '-s'): string {
  return `curl ${flags} '${url}${path}' ${rest}`
}
