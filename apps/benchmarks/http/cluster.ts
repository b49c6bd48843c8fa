import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { announce, type Ready, type Usage } from './serve.ts'

// Several processes of one server behind one port, seen by the benchmark as one. A cluster shares
// any free port.
const [, , exec = '', ...args] = process.argv
cluster.setupPrimary({ exec, args, execArgv: ['--no-warnings'] })
const workers = Array.from({ length: Number(process.env['BENCH_PROCESSES']) }, () => cluster.fork())
const [ready] = await Promise.all(workers.map((worker) => receiveMessage<Ready>(worker)))

process.removeAllListeners('message')
announce(ready as Ready)
process.removeAllListeners('message')
process.on('message', async () => {
  const { user, system } = process.cpuUsage()
  const sum: Usage = { cpu: user + system, rss: process.memoryUsage.rss() }
  for (const { cpu, rss } of await Promise.all(workers.map(requestUsage))) {
    sum.cpu += cpu
    sum.rss += rss
  }
  process.send?.(sum)
})

function requestUsage(worker: Worker): Promise<Usage> {
  worker.send('usage')
  return receiveMessage<Usage>(worker)
}

async function receiveMessage<T>(worker: Worker): Promise<T> {
  const [message] = (await once(worker, 'message')) as [T]
  return message
}
