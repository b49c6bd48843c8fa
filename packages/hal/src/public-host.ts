// RFC 6890: this network, private, shared, loopback, link-local, protocol assignments, benchmarks,
// multicast, reserved.
const SPECIAL_V4 =
  /^(?=[\d.]+$)(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168|192\.0\.0|198\.1[89]|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|22[4-9]|2[3-5]\d)\./
// All global addresses are in 2000::/3 (RFC 4291 §2.4); 6to4 (2002::/16) contains an IPv4 address,
// which may be private.
const GLOBAL_V6 = /^\[(?!2002:)[23][\da-f]{3}:/
const LOCAL_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa)\.?$/

/**
 * Whether the host of an absolute URL can be reachable from the internet: no loopback, private,
 * link-local or multicast address in any notation, no local name, no name without a dot. It does
 * not resolve names.
 */
export function hasPublicHost(url: string): boolean {
  if (!URL.canParse(url)) return false
  // The URL parser normalizes 0x7f.1, 2130706433 and ①②⑦.⓪.⓪.① to 127.0.0.1.
  const { hostname } = new URL(url)
  if (hostname.startsWith('[')) return GLOBAL_V6.test(hostname)
  return hostname.includes('.') && !SPECIAL_V4.test(hostname) && !LOCAL_NAME.test(hostname)
}
