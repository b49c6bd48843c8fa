/**
 * Whether an error is of an HTTP client (axios, octokit, AWS, ky, stripe, undici, Elasticsearch,
 * OpenSearch, `soapClient()`). Its status is that of another server.
 */
export function isHttpClientError(error: object): boolean {
  return (
    'response' in error ||
    'request' in error ||
    '$metadata' in error ||
    'requestID' in error ||
    ('raw' in error && 'requestId' in error) ||
    ('meta' in error && 'body' in error) ||
    ('code' in error && error.code === 'UND_ERR_RESPONSE')
  )
}
