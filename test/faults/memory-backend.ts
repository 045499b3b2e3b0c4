import { type Backend, pauseFault } from './backend.ts'
import { RemoteStore } from './remote-store.ts'

/** An in-memory store. It does not survive its process, so it is only paused. */
export async function startMemoryBackend(): Promise<Backend> {
  const store = new RemoteStore('memory:')
  await store.start()
  return {
    name: 'memory',
    stores: [store],
    faults: [pauseFault(store)],
    missing: ['kill -9: a store in memory ends with its process'],
    close: () => store.kill(),
  }
}
