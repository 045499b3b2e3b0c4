/** What authors of controllers test with: a small Kubernetes API in memory. */
export {
  apiResource,
  commonResources,
  eventually,
  FakeApi,
  type FakeApiOptions,
  type FakeChange,
  type FakeFault,
  type FakeObject,
  type FakePlace,
  type FakeRequest,
  type FakeStore,
} from '../client/testing/index.ts'
