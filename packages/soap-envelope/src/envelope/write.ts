import { assertType } from '../../../internal/options.ts'
import { envelopeNamespace, type SoapVersion } from '../xml/names.ts'

/** Content of an envelope. */
export interface EnvelopeParts {
  /** @defaultValue '1.2' */
  version?: SoapVersion
  /** XML of the child of the Body: well-formed, with all its namespace declarations. */
  body?: string
  /** XML of each header block. */
  headers?: readonly string[]
}

function openEnvelope(version: SoapVersion): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<env:Envelope xmlns:env="${envelopeNamespace(version)}">`
}

const STARTS: Readonly<Record<SoapVersion, string>> = { '1.1': openEnvelope('1.1'), '1.2': openEnvelope('1.2') }
const NO_BLOCKS: readonly string[] = []

/**
 * Formats an envelope around XML. The prefix `env` is bound to the namespace of the version inside.
 */
export function formatEnvelope(parts: EnvelopeParts): string {
  assertType('soap-envelope: formatEnvelope', 'parts', parts, 'object')
  return writeEnvelopeWith(parts, '')
}

/** Writes an envelope with attributes on its Body: text that begins with a space. */
export function writeEnvelopeWith(
  { version = '1.2', body = '', headers = NO_BLOCKS }: EnvelopeParts,
  bodyAttributes: string,
): string {
  const header = headers.length === 0 ? '' : `<env:Header>${headers.join('')}</env:Header>`
  return `${STARTS[version]}${header}<env:Body${bodyAttributes}>${body}</env:Body></env:Envelope>`
}
