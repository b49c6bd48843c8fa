import { memoize } from '../../internal/memoize.ts'
import { createChallenge, type GetChallenge } from './challenge.ts'
import { type CreateHeaderList, compileCommonHeaders } from './common-headers.ts'
import { type Format, selectFormat } from './format.ts'
import { selectLanguage } from './language.ts'
import { createLog, type Log } from './log.ts'
import { checkOptions, type ErrorsOptions } from './options.ts'

/** The options of an error handler, and what is compiled from them. */
export interface Settings<Req, Res> {
  options: ErrorsOptions<Req, Res>
  log: Log<Req>
  getChallenge: GetChallenge
  createHeaderList: CreateHeaderList<Req>
  /** Selects a format by `Accept`. */
  selectFormat: (accept: string | undefined) => Format
  /** Selects a language by `Accept-Language`, unless a function of the app selects it. */
  selectLanguage: (acceptLanguage: string | undefined) => string
}

/**
 * Checks and compiles options. Throws a `TypeError` if one is not valid. `write` logs errors if
 * there is no `onError`.
 */
export function compileOptions<Req extends object, Res>(
  options: ErrorsOptions<Req, Res>,
  write: Log<Req>,
): Settings<Req, Res> {
  checkOptions(options)
  const { html = false, languages = ['en'], onError, challenge, headers } = options
  const list = typeof languages === 'function' ? [] : languages
  return {
    options,
    log: createLog(onError, write),
    getChallenge: createChallenge(challenge),
    createHeaderList: compileCommonHeaders(headers),
    selectFormat: memoize((accept: string | undefined) => selectFormat(accept, html !== false)),
    selectLanguage: memoize((acceptLanguage: string | undefined) => selectLanguage(acceptLanguage, list)),
  }
}
