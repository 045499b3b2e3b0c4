import { StatusError } from '@hykube/machinery/status'
import { json, type PathHandler, rootCluster } from '../http/index.ts'
import type { KeyRotation } from './key-rotation.ts'

/**
 * `GET /keys` lists the keys of the store; `POST /keys/data` and `POST /keys/master` rotate them. Served only in the root cluster, each with its
 * own permission (`nonResourceURLs: ["/keys/data"]`, verb `post`).
 */
export function keysEndpoint(rotation: KeyRotation): PathHandler {
  return async ({ path, request: { method } }) => {
    if (path.cluster !== rootCluster) return undefined
    switch (path.path) {
      case '/keys':
        expectMethod(method, 'GET')
        return json(200, await rotation.status())
      case '/keys/data':
        expectMethod(method, 'POST')
        return json(202, await rotation.rotateDataKey())
      case '/keys/master':
        expectMethod(method, 'POST')
        return json(200, await rotation.rotateMasterKey())
      default:
        return undefined
    }
  }
}

function expectMethod(method: string, expected: string): void {
  if (method !== expected) throw new StatusError('MethodNotAllowed', `this path supports only ${expected}`)
}
