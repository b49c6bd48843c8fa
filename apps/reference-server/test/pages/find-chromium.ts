import { existsSync } from 'node:fs'

const BINARIES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome']

/** Where Chromium is; `undefined` where it is not installed, which is an error with CI set: nothing is skipped there. */
export function findChromium(): string | undefined {
  const found = [process.env['SVC_TEST_CHROMIUM'], ...BINARIES].find((file) => file && existsSync(file))
  if (found === undefined && process.env['CI'])
    throw new Error('Chromium is not installed, and with CI set no test may be skipped')
  return found
}
