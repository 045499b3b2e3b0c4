import { describeStore } from '../testing/describe-store.ts'
import { openMemoryStore } from './memory-store.ts'

describeStore(
  'memory',
  async (options) => {
    const store = openMemoryStore(options)
    return { store, dispose: () => store.close() }
  },
  { keeps: false },
)
