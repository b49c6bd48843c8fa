const SEQUENCE = 0x30
const OBJECT_ID = 0x06
const OCTETS = 0x04
const EXTENSIONS = 0xa3

interface Node {
  tag: number
  value: Buffer
}

/**
 * Returns the value of an extension of a certificate (RFC 5280 §4.1). `node:crypto` does not show
 * the key usage and the key identifier. The bytes have been parsed by OpenSSL before, so a reader
 * of their structure is enough.
 *
 * @param id - the object identifier, its bytes in hexadecimal digits
 */
export function findExtension(certificate: Uint8Array, id: string): Buffer | undefined {
  const [whole] = readNodes(Buffer.from(certificate.buffer, certificate.byteOffset, certificate.byteLength))
  const [signed] = whole ? readNodes(whole.value) : []
  const wrapped = signed ? readNodes(signed.value).find(({ tag }) => tag === EXTENSIONS) : undefined
  const [list] = wrapped ? readNodes(wrapped.value) : []
  for (const extension of list ? readNodes(list.value) : []) {
    const parts = extension.tag === SEQUENCE ? readNodes(extension.value) : []
    const isWanted = parts[0]?.tag === OBJECT_ID && parts[0].value.toString('hex') === id
    if (isWanted) return parts.find(({ tag }) => tag === OCTETS)?.value
  }
  return undefined
}

function readNodes(bytes: Buffer): Node[] {
  const nodes: Node[] = []
  for (let offset = 0; offset + 2 <= bytes.length; ) {
    const tag = bytes[offset] ?? 0
    const first = bytes[offset + 1] ?? 0
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f
    if (lengthBytes > 4 || offset + 2 + lengthBytes > bytes.length) break
    const length = lengthBytes === 0 ? first : bytes.readUIntBE(offset + 2, lengthBytes)
    const start = offset + 2 + lengthBytes
    nodes.push({ tag, value: bytes.subarray(start, start + length) })
    offset = start + length
  }
  return nodes
}
