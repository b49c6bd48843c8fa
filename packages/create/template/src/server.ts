import { createApp } from './app.ts'

const server = createApp().listen(Number(process.env['PORT'] ?? 3000), (error) => {
  if (error) throw error
  const address = server.address()
  process.stdout.write(`http://localhost:${typeof address === 'object' && address ? address.port : ''}/tasks\n`)
})

// Requests in progress get their responses, idle connections are closed. On Ctrl+C the terminal and
// npm both send a signal.
const stop = (): void => void server.close()
process.on('SIGTERM', stop).on('SIGINT', stop)
