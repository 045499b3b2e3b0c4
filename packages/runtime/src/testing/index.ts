/** The public API for testing controllers: an in-memory Kubernetes API. */
export {
  apiResource,
  commonResources,
  eventually,
  FakeApi,
  type FakeApiOptions,
  type FakeObject,
  type FakePlace,
} from '../client/testing/index.ts'
