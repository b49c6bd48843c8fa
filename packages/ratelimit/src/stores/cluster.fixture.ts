import { setTimeout } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort, type OwnServer, startOwnRedis } from '../../../internal/testing/servers.ts'

export interface TestCluster {
  nodes: readonly { host: string; port: number }[]
  stop(): Promise<void>
}

const SLOTS = 16_384
const NODES = 3

/**
 * Three Redis servers that share the slots of a cluster between them; `undefined` where there is no
 * `redis-server`.
 */
export async function startCluster(): Promise<TestCluster | undefined> {
  const servers: OwnServer[] = []
  const clients: Redis[] = []
  const busPorts: number[] = []
  for (let node = 0; node < NODES; node++) {
    const bus = await freePort()
    const server = await startOwnRedis(undefined, ['--cluster-enabled', 'yes', '--cluster-port', String(bus)])
    if (!server) return undefined
    servers.push(server)
    busPorts.push(bus)
    clients.push(new Redis(server.url))
  }
  for (const [index, client] of clients.entries()) {
    const [from, to] = [index, index + 1].map((part) => Math.floor((part * SLOTS) / NODES))
    await client.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String((to ?? 0) - 1))
    await clients[0]?.call('CLUSTER', 'MEET', '127.0.0.1', String(servers[index]?.port), String(busPorts[index]))
  }
  for (const client of clients) {
    const isReady = async () =>
      /cluster_state:ok[^]*cluster_slots_ok:16384/.test(String(await client.call('CLUSTER', 'INFO')))
    while (!(await isReady())) await setTimeout(50)
    client.disconnect()
  }
  return {
    nodes: servers.map(({ port }) => ({ host: '127.0.0.1', port })),
    async stop() {
      for (const server of servers) await server.stop()
    },
  }
}
