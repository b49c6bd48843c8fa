import {
  codeBlock,
  formatCurl,
  type Html,
  html,
  type Language,
  requestMessage,
  responseMessage,
} from '../../../reference-server/src/index.ts'
import { demoText } from '../texts.ts'
import type { PreferenceHeaders } from './preferences.ts'
import type { Choice, Rankings } from './rankings.ts'

const TARGET = '/employees'

/**
 * The request with the headers of the client, the response that it gets, and a line that sends it.
 */
export function outcome(
  rankings: Rankings,
  preferences: PreferenceHeaders,
  baseUrl: string,
  language: Language,
): readonly Html[] {
  const headers = Object.fromEntries(Object.entries(preferences).filter(([, value]) => value !== ''))
  const call = formatCurl({ url: baseUrl + TARGET, user: 'eve:eve-demo', fields: headers })
  const sent = { ...headers, authorization: 'Basic ***' }
  return [
    requestMessage({ method: 'GET', target: TARGET, headers: sent }, language),
    responseMessage({ ...negotiatedResponse(rankings), notes: [] }, language),
    codeBlock('curl', 'call', call, language),
  ]
}

// `Content-Type` has these parameters; other types have the charset.
const PARAMETERS: Readonly<Record<string, string>> = {
  'application/hal+json': '',
  'application/prs.hal-forms+json': '',
  'text/csv': '; charset=utf-8; header=present',
}

/**
 * The status of the response, and the headers that negotiation decides. A test compares them with
 * the service.
 */
export function negotiatedResponse(rankings: Rankings): { status: number; headers: Record<string, string> } {
  const choices = findChoices(rankings)
  if (!choices) return rejection(rankings)
  const { type, language, encoding } = choices
  const isPage = type === 'text/html'
  const headers = {
    'content-type': `${type}${PARAMETERS[type] ?? '; charset=utf-8'}`,
    ...(isPage && { 'content-language': language }),
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    vary: `Accept, API-Version, Accept-Version${isPage ? ', Accept-Language' : ''}, Accept-Encoding`,
  }
  return { status: 200, headers }
}

// The service looks at the encoding once it has found a format.
function rejection({ types: [type], languages: [language] }: Rankings) {
  const isEncoding = isAcceptable(type)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-language': isAcceptable(language) ? language.value : 'en',
    vary: `Accept, API-Version, Accept-Version${isEncoding ? ', Accept-Encoding' : ''}, Accept-Language`,
  }
  return { status: 406, headers }
}

function findChoices({ types: [type], languages: [tag], encodings: [encoding] }: Rankings) {
  if (!isAcceptable(type) || !isAcceptable(encoding)) return undefined
  return { type: type.value, language: tag?.value ?? 'en', encoding: encoding.value }
}

function isAcceptable(choice: Choice | undefined): choice is Choice {
  return choice !== undefined && choice.q > 0
}

/** The outcome in one sentence. */
export function verdict(rankings: Rankings, language: Language): Html {
  const choices = findChoices(rankings)
  const kind = choices ? 'good' : 'bad'
  const says = choices
    ? demoText(language, 'negotiated', choices)
    : demoText(language, isAcceptable(rankings.types[0]) ? 'noCoding' : 'noFormat')
  return html`<p class="notice ${kind}" id="verdict" role="status"><span class="badge ${kind}">${choices ? 200 : 406}</span> ${says}</p>`
}
