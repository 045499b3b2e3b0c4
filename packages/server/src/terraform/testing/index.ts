/** Providers, schemas and instances for tests of other rooms. */
export { fakeProvider } from './fake-provider.ts'
export { instanceOf } from './instances.ts'
export { attribute, block, nestedAttribute, nestedBlock, objectOf, schema } from './schemas.ts'
