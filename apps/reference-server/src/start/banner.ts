import type { Database } from '../database/database.ts'
import { DEMO_USERS, demoPassword } from '../database/seed/demo-users.ts'
import { curlLine, examples } from './examples.ts'

export interface Started {
  url: string
  adminUrl: string
  version: string
  isDemo: boolean
  database: Database
}

/** What a person at a terminal reads when the service is up. */
export function banner({ url, adminUrl, version, isDemo, database }: Started): string {
  const lines = [
    `svc reference-server ${version} · node ${process.versions.node} · ${database.where}`,
    '',
    `  Open      ${url}/`,
    `  API       ${url}/docs`,
    `  SOAP      ${url}/ws/customer?wsdl`,
    `  Admin     ${adminUrl}/ready  /live  /metrics`,
  ]
  if (isDemo) {
    const users = DEMO_USERS.map(({ username, says }) => `${username} / ${demoPassword(username)} (${says})`)
    lines.push(`  Requests  ${url}/_demo/requests`, '', ...labelled('Users', users), '')
    lines.push(
      ...labelled(
        'Try',
        examples.map((example) => curlLine(example, url)),
      ),
      '',
    )
    lines.push('  Demo credentials are public: keep this on loopback.  Ctrl-C stops.')
  }
  return `${lines.join('\n')}\n`
}

function labelled(label: string, texts: readonly string[]): string[] {
  return texts.map((text, at) => `  ${(at === 0 ? label : '').padEnd(10)}${text}`)
}
