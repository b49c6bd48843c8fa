import { type Versioning, versioning } from '@svc/versioning'
import { type Deprecation, VERSIONS, type VersionName } from './names.ts'
import { changes } from './v2.ts'

/** Creates the versions of the service, and the changes between them. None is deprecated unless it is listed. */
export function serviceVersions(
  publicUrl: string,
  deprecated: ReadonlyMap<VersionName, Deprecation> = new Map(),
): Versioning<VersionName> {
  const versions = versioning({
    versions: VERSIONS,
    default: '1',
    vendor: 'svc',
    headers: 'none',
    setContentType: false,
    basePath: publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, ''),
    deprecated: Object.fromEntries(deprecated),
  })
  for (const change of changes) versions.addChange('2', change)
  return versions
}
