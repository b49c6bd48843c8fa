import { escapeAttribute, escapeText } from '../../../internal/xml-escape.ts'
import type { FaultCode, SoapFault } from '../fault.ts'
import { FAULTS, type QName, SOAP11, SOAP12, type SoapVersion } from '../xml/names.ts'
import { type EnvelopeParts, formatEnvelope } from './write.ts'

export interface FaultWriting {
  version: SoapVersion
  /** Placeholder for the namespace of our own subcodes. */
  faultNamespace?: string
  /** XML of header blocks of the response. */
  blocks?: readonly string[]
  /** Language tags in order of preference, for a fault with reasons in several. */
  languages?: readonly string[]
  /**
   * The versions that the Upgrade block of a VersionMismatch offers, best first. @defaultValue both
   */
  supported?: readonly SoapVersion[]
}

const CODES_11: Record<FaultCode, string> = {
  VersionMismatch: 'VersionMismatch',
  MustUnderstand: 'MustUnderstand',
  DataEncodingUnknown: 'Client',
  Sender: 'Client',
  Receiver: 'Server',
}

/** Writes the envelope of a fault (SOAP 1.2 part 1, 5.4; SOAP 1.1, 4.4). */
export function writeFault(fault: SoapFault, writing: FaultWriting): string {
  return formatEnvelope(faultParts(fault, writing))
}

/** The parts of that envelope. */
export function faultParts(fault: SoapFault, writing: FaultWriting): Required<EnvelopeParts> {
  const { version } = writing
  const body = version === '1.2' ? fault12(fault, writing) : fault11(fault, writing)
  return { version, body, headers: [...(writing.blocks ?? []), ...headerBlocks(fault, writing)] }
}

function fault12(fault: SoapFault, writing: FaultWriting): string {
  const named = fault.subcodes.map((name) => rename(name, writing))
  const subcodes = named.reduceRight((inner, name) => {
    const { attributes, text } = qualified(name)
    return `<env:Subcode><env:Value${attributes}>${text}</env:Value>${inner}</env:Subcode>`
  }, '')
  const reasons = orderedReasons(fault, writing.languages ?? []).map(
    ([language, text]) => `<env:Text xml:lang="${escapeAttribute(language)}">${escapeText(text)}</env:Text>`,
  )
  return (
    `<env:Fault><env:Code><env:Value>env:${fault.code}</env:Value>${subcodes}</env:Code>` +
    `<env:Reason>${reasons.join('')}</env:Reason>` +
    element('env:Node', fault.node) +
    element('env:Role', fault.role) +
    (fault.detail === undefined ? '' : `<env:Detail>${fault.detail}</env:Detail>`) +
    '</env:Fault>'
  )
}

// SOAP 1.1 has no subcodes: one of another namespace than ours, such as those of WS-Security, is
// the code itself.
function fault11(fault: SoapFault, writing: FaultWriting): string {
  const foreign = fault.subcodes.find(({ uri }) => uri !== FAULTS)
  const { attributes, text } =
    foreign === undefined ? { attributes: '', text: `env:${CODES_11[fault.code]}` } : qualified(foreign)
  const [reason] = orderedReasons(fault, writing.languages ?? [])
  return (
    `<env:Fault><faultcode${attributes}>${text}</faultcode><faultstring>${escapeText(reason?.[1] ?? '')}</faultstring>` +
    element('faultactor', fault.role) +
    (fault.detail === undefined ? '' : `<detail>${fault.detail}</detail>`) +
    '</env:Fault>'
  )
}

function element(name: string, text: string | undefined): string {
  return text === undefined ? '' : `<${name}>${escapeText(text)}</${name}>`
}

function rename(name: QName, { faultNamespace = FAULTS }: FaultWriting): QName {
  return name.uri === FAULTS ? { uri: faultNamespace, local: name.local } : name
}

function qualified({ uri, local }: QName): { attributes: string; text: string } {
  // Without a prefix, a name is in no namespace: the envelope declares no default one.
  if (uri === '') return { attributes: '', text: escapeText(local) }
  return { attributes: ` xmlns:f="${escapeAttribute(uri)}"`, text: `f:${escapeText(local)}` }
}

/**
 * Returns the reasons, the one in the language that the client prefers first; English if it prefers
 * none of them.
 */
function orderedReasons(fault: SoapFault, languages: readonly string[]): [string, string][] {
  const reasons = Object.entries(fault.reasons).filter(([, text]) => text !== '')
  if (reasons.length === 0) return [['en', fault.code]]
  const ranges = languages.map((range) => `${range.toLowerCase()}-`)
  const rank = ([tag]: [string, string]): number => {
    const name = `${tag.toLowerCase()}-`
    // `de` matches `de-CH` (RFC 4647 §3.4), and `de-CH` matches `de`. The nearest is preferred.
    const index = ranges.findIndex((range) => range.startsWith(name) || name.startsWith(range))
    if (index === -1) return ranges.length + (tag === 'en' ? 0 : 1)
    const distance = Math.abs((ranges[index] ?? '').length - name.length)
    return index + distance / (distance + 1)
  }
  return reasons.sort((a, b) => rank(a) - rank(b))
}

function headerBlocks(fault: SoapFault, { version, supported = ['1.2', '1.1'] }: FaultWriting): string[] {
  if (fault.code === 'VersionMismatch') {
    const offered = supported.map((offer) => {
      const [prefix, uri] = offer === '1.2' ? ['s12', SOAP12] : ['s11', SOAP11]
      return `<env:SupportedEnvelope qname="${prefix}:Envelope" xmlns:${prefix}="${uri}"/>`
    })
    // SOAP 1.2 part 1, 5.4.7: a 1.1 response has the block too, in the namespace of 1.2.
    const open = version === '1.2' ? '<env:Upgrade>' : `<env:Upgrade xmlns:env="${SOAP12}">`
    return [`${open}${offered.join('')}</env:Upgrade>`]
  }
  if (version === '1.1') return []
  return fault.notUnderstood.map(({ uri, local }) => {
    const name = escapeAttribute(local)
    return `<env:NotUnderstood qname="p:${name}" xmlns:p="${escapeAttribute(uri)}"/>`
  })
}
