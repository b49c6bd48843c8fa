import type { Express } from 'express'

/** Listens if the file of the app is the entry point of the process. */
export function startIfMain(app: Express, isMain: boolean): void {
  if (!isMain) return
  const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', (error) => {
    if (error) throw error
    const address = server.address()
    console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`)
  })
}
