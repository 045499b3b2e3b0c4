import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Backend, type Fault, killFault, pauseFault, startAgain } from './backend.ts'
import { RemoteStore } from './remote-store.ts'
import { createSmallDisk, type SmallDisk } from './small-disk.ts'

/** A store in a SQLite file, on its own small disk where possible. */
export async function startSqliteBackend(): Promise<Backend> {
  const disk = createSmallDisk(128)
  const directory = typeof disk === 'string' ? mkdtempSync(join(tmpdir(), 'hykube-faults-')) : disk.directory
  const store = new RemoteStore(`sqlite://${join(directory, 'store.db')}`)
  await startAgain(store)
  const faults = [killFault(store), pauseFault(store)]
  if (typeof disk !== 'string') faults.push(fullDisk(disk), readOnlyDisk(disk, store))
  return {
    name: 'sqlite',
    stores: [store],
    faults,
    missing: typeof disk === 'string' ? [disk, disk.replace('a full disk', 'a read-only disk')] : [],
    async close() {
      await store.kill()
      if (typeof disk !== 'string') disk.close()
      else rmSync(directory, { recursive: true, force: true })
    },
  }
}

// The store keeps running: it must report that it can't write, and recover when it can.
function fullDisk(disk: SmallDisk): Fault {
  return { name: 'full disk', strike: async () => disk.fill(), heal: async () => disk.empty() }
}

// A file system with files open for writing can't be made read-only, so the store is killed first.
function readOnlyDisk(disk: SmallDisk, store: RemoteStore): Fault {
  return {
    name: 'read-only disk',
    async strike() {
      await store.kill()
      disk.protect()
      await store.start()
    },
    async heal() {
      await store.kill()
      disk.unprotect()
      await startAgain(store)
    },
  }
}
