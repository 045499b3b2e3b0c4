import { StatusError } from '@hykube/machinery/status'
import { json, type PathHandler, rootCluster } from '../http/index.ts'
import type { KeyRotation } from './key-rotation.ts'

/**
 * `GET /keys`: which keys encrypt the store. `POST /keys/data` and `POST /keys/master` rotate them. They are root's alone, and each is a
 * permission of its own (`nonResourceURLs: ["/keys/data"]`, verb `post`).
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
  if (method !== expected) throw new StatusError('MethodNotAllowed', `this path takes ${expected} only`)
}
