import { afterEach, expect, test } from 'vitest'
import { findUrl, type ServerProcess, spawnNpmStart } from './process.ts'
import { slowRequest, untilRefused } from './slow-request.ts'

let server: ServerProcess
afterEach(() => void server.child.kill('SIGKILL'))

test('npm start passes SIGTERM on: the server responds to what is in flight, then ends', async () => {
  server = spawnNpmStart()
  const url = await findUrl(server)
  const slow = slowRequest(url)
  await slow.waiting
  server.child.kill('SIGTERM')
  await untilRefused(url)
  slow.sendBody()
  expect(await slow.answer).toMatch(/HTTP\/1\.1 201 .*\r\nConnection: close\r\n/s)
  await server.exited
  expect(server.output().stdout).toMatch(/"msg":"stopped"\}\n$/)
})

test('npm start without a terminal prints what to try on standard error, and the log on standard output', async () => {
  server = spawnNpmStart()
  await findUrl(server)
  server.child.kill('SIGTERM')
  await server.exited
  const { stdout, stderr } = server.output()
  for (const line of [
    /^ {2}Open +http:\/\/localhost:\d+\/$/m,
    /^ {2}SOAP +http:\/\/localhost:\d+\/ws\/customer\?wsdl$/m,
    /^ {2}Users +ada \/ ada-demo \(/m,
    /^ {2}Try +curl .+http:\/\/localhost:\d+\//m,
  ])
    expect(stderr).toMatch(line)
  // npm prints the script first.
  const log = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('>'))
  expect(log.map((line) => JSON.parse(line).msg)).toEqual(['listening', 'stopping', 'stopped'])
})
