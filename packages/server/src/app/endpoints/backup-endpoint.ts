import { StatusError } from '@hykube/machinery/status'
import type { PathHandler } from '../../http/index.ts'
import { backupChunks, StorageError, type Store } from '../../storage/index.ts'

/**
 * `GET /backup`: a consistent snapshot of the whole store, with all logical clusters. A user with permission for it
 * (`nonResourceURLs: ["/backup"]`) can read everything that isn't encrypted.
 */
export function backupEndpoint(store: Store, version: string): PathHandler {
  return async ({ request }) => {
    if (request.method !== 'GET') throw new StatusError('MethodNotAllowed', 'the backup can only be read')
    const snapshot = await opened(store)
    return {
      status: 200,
      headers: { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' },
      body: async (writer) => {
        for await (const chunk of backupChunks(snapshot, { madeAt: new Date().toISOString(), version })) {
          if (writer.signal.aborted) return
          await writer.write(chunk)
        }
      },
    }
  }
}

async function opened(store: Store) {
  try {
    return await store.snapshot()
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    throw error.failure === 'unavailable'
      ? new StatusError('ServiceUnavailable', error.message)
      : new StatusError('BadRequest', error.message)
  }
}
