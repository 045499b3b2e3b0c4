import { findPostgres, PostgresServer } from '@hykube/server/storage/testing'
import { type Backend, type Fault, killFault, pauseFault, startAgain } from './backend.ts'
import { CuttingProxy } from './cutting-proxy.ts'
import { RemoteStore } from './remote-store.ts'
import { createSmallDisk } from './small-disk.ts'

/**
 * Two stores on one PostgreSQL server, each behind its own proxy. Returns the reason when this machine can't run it.
 */
export async function startPostgresBackend(bin?: string): Promise<Backend | string> {
  const search = findPostgres(bin)
  if (search.kind === 'missing') return search.reason
  const disk = createSmallDisk(1_024)
  const place = typeof disk === 'string' ? {} : { directory: disk.directory }
  const server = await PostgresServer.start({ bin: search.bin, ...place, settings: { max_wal_size: '128MB' } })
  const proxies = await Promise.all([1, 2].map(() => CuttingProxy.start(server.socketPath)))
  const stores = proxies.map(({ port }) => new RemoteStore(`postgres://hykube@127.0.0.1:${port}/postgres`))
  for (const store of stores) await startAgain(store)
  const faults = [
    ...stores.flatMap((store) => [killFault(store), pauseFault(store)]),
    ...proxies.flatMap(networkFaults),
    ...serverFaults(server),
  ]
  if (typeof disk !== 'string') faults.push(fullDisk(server, disk))
  return {
    name: 'postgres',
    stores,
    faults,
    missing: typeof disk === 'string' ? [disk] : [],
    async close() {
      await Promise.all(stores.map((store) => store.kill()))
      await Promise.all(proxies.map((proxy) => proxy.close()))
      await server.close()
      if (typeof disk !== 'string') disk.close()
    },
  }
}

function networkFaults(proxy: CuttingProxy): Fault[] {
  const heal = async () => proxy.restore()
  return [
    { name: 'lost connections', strike: async () => proxy.cut(), heal },
    { name: 'answers lost on the way', strike: async () => proxy.deafen(), heal },
    { name: 'silent network', strike: async () => proxy.hold(), heal },
  ]
}

function serverFaults(server: PostgresServer): Fault[] {
  return [
    { name: 'kill -9 of the database', strike: () => server.kill(), heal: () => server.start() },
    { name: 'restart of the database', strike: () => server.stop(), heal: () => server.start() },
    { name: 'pause of the database', strike: async () => server.pause(), heal: async () => server.resume() },
    {
      name: 'read-only database',
      strike: async () => setReadOnly(server, 'on'),
      heal: async () => setReadOnly(server, 'off'),
    },
  ]
}

// The database becomes read-only under its clients, like a primary that is demoted.
function setReadOnly(server: PostgresServer, value: 'on' | 'off'): void {
  const change = `ALTER SYSTEM SET default_transaction_read_only = ${value}`
  const args = ['-h', server.directory, '-U', 'hykube', '-d', 'postgres', '-c', 'SET transaction_read_only = off']
  server.run('psql', [...args, '-c', change, '-c', 'SELECT pg_reload_conf()'])
}

// PostgreSQL shuts down when its log can't be written, and restarts when there is space.
function fullDisk(server: PostgresServer, disk: { fill(): void; empty(): void }): Fault {
  return {
    name: 'full disk',
    strike: async () => disk.fill(),
    async heal() {
      disk.empty()
      await server.kill()
      await server.start()
    },
  }
}
