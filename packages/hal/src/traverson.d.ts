// The client that the tests walk a service with: what they use of it.
declare module 'traverson' {
  interface Walk {
    jsonHal(): Walk
    withTemplateParameters(parameters: Record<string, unknown>): Walk
    follow(...relations: string[]): Walk
    getResource(done: (error: unknown, document: unknown) => void): void
  }
  const traverson: {
    registerMediaType(type: string, adapter: unknown): void
    from(url: string): Walk
  }
  export default traverson
}

declare module 'traverson-hal' {
  const adapter: { mediaType: string }
  export default adapter
}
