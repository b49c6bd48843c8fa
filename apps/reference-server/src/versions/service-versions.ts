import { type Versioning, versioning } from '@svc/versioning'
import { changes } from './v2.ts'

const DEPRECATED = new Date('2026-09-01T00:00:00Z')
const SUNSET = new Date('2028-12-01T00:00:00Z')

/** The versions of the service, and what came with each: 1 stays for two years after 2 came. */
export function serviceVersions(publicUrl: string): Versioning<'1' | '2'> {
  const versions = versioning({
    versions: ['1', '2'],
    default: '1',
    vendor: 'svc',
    fields: 'none',
    writeMediaType: false,
    base: publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, ''),
    deprecated: { 1: { since: DEPRECATED, sunset: SUNSET, successor: '2' } },
  })
  for (const change of changes) versions.change('2', change)
  return versions
}
