/** Headers about the body of an error response, which is created here: no error can set them. */
export const BODY_HEADERS: readonly string[] = [
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'trailer',
  'etag',
]
