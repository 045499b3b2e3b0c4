/** Test support for providers: a registry with real archives and keys, a misbehaving provider, small and large schemas. */
export { type FakePackage, FakeRegistry, type FakeRequest } from './fake-registry.ts'
export { createSigner, type FakeSigner, type FakeSignerOptions } from './fake-signer.ts'
export { attributesIn, blocksIn, depthOf, largeSchema } from './large-schema.ts'
export { type OddMode, oddProvider } from './odd-provider.ts'
export { plainTemplates } from './plain-templates.ts'
export { blockIn, blockOf, nested, plain, providerOf } from './schema-builder.ts'
export { makeZip, type ZipEntry } from './zip-writer.ts'
