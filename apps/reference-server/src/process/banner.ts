import { DEMO_USERS, demoPassword } from '../domain/seed/demo-users.ts'
import { curlLine, examples } from '../formats/pages/examples.ts'
import { text } from '../formats/pages/texts.ts'

/** What the banner shows of a server that has started. */
export interface Started {
  url: string
  adminUrl: string
  /** SHA-256 of a certificate that was created for this run. */
  fingerprint: string | undefined
  version: string
  isDemo: boolean
  database: { where: string }
}

/** What a person at a terminal reads when the service is up. */
export function banner(started: Started): string {
  const { url, adminUrl, fingerprint, version, isDemo, database } = started
  const lines = [
    `svc reference-server ${version} · node ${process.versions.node} · ${database.where}`,
    '',
    `  Open      ${url}/`,
    `  API       ${url}/docs`,
    `  SOAP      ${url}/ws/customer?wsdl`,
    `  Admin     ${adminUrl}/ready  /live  /metrics`,
    ...(fingerprint ? [`  TLS       self-made, SHA-256 ${fingerprint}`] : []),
    ...(isDemo ? demoLines(started) : []),
  ]
  return `${lines.join('\n')}\n`
}

function demoLines({ url, fingerprint }: Started): string[] {
  const users = DEMO_USERS.map(
    ({ username, role }) => `${username} / ${demoPassword(username)} (${text('en', `role.${role}`)})`,
  )
  // Nobody vouches for a certificate that was made a moment ago.
  const flags = fingerprint ? '-sk' : '-s'
  const calls = examples.map((example) => curlLine(example, url, flags))
  return [
    `  Play      ${url}/play`,
    `  Requests  ${url}/_demo/requests`,
    '',
    ...labelled('Users', users),
    '',
    ...labelled('Try', calls),
    '',
    '  Demo credentials are public: keep this on loopback.  Ctrl-C stops.',
  ]
}

function labelled(label: string, texts: readonly string[]): string[] {
  return texts.map((text, at) => `  ${(at === 0 ? label : '').padEnd(10)}${text}`)
}
