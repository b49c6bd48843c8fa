import { type HttpError, type HttpErrorInit, httpError } from '@svc/errors'
import { languages } from '../../reference-server/src/index.ts'
import { type DemoTextKey, demoText } from './texts.ts'

type FailureKey = Extract<DemoTextKey, `error.${string}`>

/**
 * Creates an error with a text of the playground, which `localizeFailure` writes in the language of
 * the client.
 */
export function playFailure(status: number, key: FailureKey, init: HttpErrorInit = {}): HttpError {
  return httpError(status, demoText('en', key), { expose: true, ...init, params: { playground: key } })
}

/**
 * Returns the text of an error of the playground in a language; `undefined` for every other error.
 */
export function localizeFailure(
  _code: string,
  language: string,
  { playground: key }: Readonly<Record<string, unknown>>,
): string | undefined {
  const supported = languages.find((name) => name === language)
  return supported && isFailureKey(key) ? demoText(supported, key) : undefined
}

function isFailureKey(key: unknown): key is FailureKey {
  return key === 'error.login' || key === 'error.local' || key === 'error.fault'
}
