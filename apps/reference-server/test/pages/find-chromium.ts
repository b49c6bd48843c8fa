import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const BINARIES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome']

/**
 * Returns the path of Chromium; `undefined` if it is not installed. With CI set that is an error,
 * because CI must not skip tests.
 */
export function findChromium(): string | undefined {
  const binary = [process.env['SVC_TEST_CHROMIUM'], ...BINARIES].find((file) => file && existsSync(file))
  if (binary === undefined && process.env['CI'])
    throw new Error('Chromium is not installed, and with CI set no test may be skipped')
  return binary
}

/** Starts Chromium. */
export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}
