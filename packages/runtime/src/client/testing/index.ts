/** An in-memory Kubernetes API for tests of clients and controllers. */

export { eventually } from './eventually.ts'
export { FakeApi, type FakeApiOptions, type FakeFault } from './fake-api.ts'
export type { FakeRequest } from './fake-request.ts'
export { apiResource, commonResources } from './fake-resources.ts'
export type { FakeChange, FakeObject, FakePlace, FakeStore } from './fake-store.ts'
