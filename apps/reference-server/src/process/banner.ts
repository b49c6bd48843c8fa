import { type DemoUser, demoPassword } from '../domain/seed/demo-users.ts'
import { curlLine, examples } from '../formats/pages/curl.ts'
import { text } from '../formats/pages/texts.ts'

/** Facts about a started server that the banner shows. */
export interface Started {
  url: string
  adminUrl: string
  /** SHA-256 of a certificate that was created for this run. */
  fingerprint: string | undefined
  version: string
  /** Users with public passwords. */
  users: readonly DemoUser[]
  /** Further pages to open, with their labels. */
  pages: readonly (readonly [label: string, path: string])[]
  database: { where: string }
}

/** Writes the text that a terminal shows after the start. */
export function banner(started: Started): string {
  const { url, adminUrl, fingerprint, version, users, pages, database } = started
  const lines = [
    `svc reference-server ${version} · node ${process.versions.node} · ${database.where}`,
    '',
    `  Open      ${url}/`,
    `  API       ${url}/docs`,
    `  SOAP      ${url}/ws/customer?wsdl`,
    `  Admin     ${adminUrl}/ready  /live  /metrics`,
    ...(fingerprint ? [`  TLS       self-made, SHA-256 ${fingerprint}`] : []),
    ...pages.map(([label, path]) => `  ${label.padEnd(10)}${url}${path}`),
    ...(users.length > 0 ? userLines(started) : []),
  ]
  return `${lines.join('\n')}\n`
}

function userLines({ url, users, fingerprint }: Started): string[] {
  const names = users.map(
    ({ username, role }) => `${username} / ${demoPassword(username)} (${text('en', `role.${role}`)})`,
  )
  // No authority signed a certificate that was created for this run.
  const flags = fingerprint ? '-sk' : '-s'
  const calls = examples.map((example) => curlLine(example, url, flags))
  return [
    '',
    ...alignLines('Users', names),
    '',
    ...alignLines('Try', calls),
    '',
    '  Demo credentials are public: keep this on loopback.  Ctrl-C stops.',
  ]
}

function alignLines(label: string, texts: readonly string[]): string[] {
  return texts.map((text, index) => `  ${(index === 0 ? label : '').padEnd(10)}${text}`)
}
