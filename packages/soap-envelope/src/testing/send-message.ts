import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { envelope, getCustomer } from './shop.ts'

const MESSAGE = envelope(getCustomer())

/**
 * Sends a message to a listener in one packet, and returns all that comes back. The last bytes come
 * in a second packet if `cut` says how many.
 */
export async function sendMessage(listener: RequestListener, cut = 0): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const fields = [
    'Host: x',
    'Connection: close',
    'Content-Type: application/soap+xml',
    `Content-Length: ${MESSAGE.length}`,
  ]
  const request = `POST /ws HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n${MESSAGE}`
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(request.slice(0, request.length - cut))
  if (cut > 0) setTimeout(() => socket.write(request.slice(request.length - cut)), 50)
  let received = ''
  for await (const chunk of socket) received += String(chunk)
  server.close()
  return received
}
