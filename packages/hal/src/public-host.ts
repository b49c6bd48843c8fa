const PRIVATE_V4 = /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./
const PRIVATE_V6 = /^\[(?:::1?\]|f[cd][\da-f]{2}:|fe[89ab][\da-f]:|::ffff:)/
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)\.?$/

/**
 * Whether the host of an absolute URL may be one that the whole world reaches: no loopback, private or link-local
 * address in whatever notation, no local name, no name without a dot. It looks nothing up.
 */
export function hasPublicHost(url: string): boolean {
  if (!URL.canParse(url)) return false
  // The URL parser turns 0x7f.1, 2130706433 and ①②⑦.⓪.⓪.① into 127.0.0.1.
  const { hostname } = new URL(url)
  if (hostname.startsWith('[')) return !PRIVATE_V6.test(hostname)
  return hostname.includes('.') && !PRIVATE_V4.test(hostname) && !LOCAL_NAME.test(hostname)
}
