/** Whether a URL contains a user name or a password, which every log of URLs would have. */
export function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== ''
}

/** Returns a URL for a message: without credentials and the query, which may hold a token. */
export function hideSecrets(url: string | URL): string {
  if (url instanceof URL || URL.canParse(url)) {
    const { protocol, host, pathname } = new URL(url)
    return `${protocol}//${host}${pathname}`
  }
  return url.replace(/[?#].*$/s, '').replace(/^.*@/s, '')
}
