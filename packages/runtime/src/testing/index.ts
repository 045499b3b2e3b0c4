/** The public API for testing controllers: an in-memory Kubernetes API. */
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
