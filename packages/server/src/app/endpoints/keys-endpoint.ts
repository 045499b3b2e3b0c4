import { StatusError } from '@hykube/machinery/status'
import { json, type PathHandler } from '../../http/index.ts'
import type { KeyRotation } from '../key-rotation.ts'
import type { ServerPaths } from '../server-paths.ts'

/**
 * `GET /keys` lists the keys of the store; `POST /keys/data` and `POST /keys/master` rotate them. Each has its own permission
 * (`nonResourceURLs: ["/keys/data"]`, verb `post`).
 */
export function keysEndpoints(rotation: KeyRotation): Pick<ServerPaths, '/keys' | '/keys/data' | '/keys/master'> {
  return {
    '/keys': only('GET', 200, () => rotation.status()),
    '/keys/data': only('POST', 202, () => rotation.rotateDataKey()),
    '/keys/master': only('POST', 200, () => rotation.rotateMasterKey()),
  }
}

function only(method: string, status: number, work: () => Promise<object>): PathHandler {
  return async ({ request }) => {
    if (request.method !== method) throw new StatusError('MethodNotAllowed', `this path supports only ${method}`)
    return json(status, await work())
  }
}
