/** A registry of providers on this machine, for tests: real archives, real keys, and misbehaviour on demand. */
export { type FakePackage, FakeRegistry, type FakeRequest } from './fake-registry.ts'
export { createSigner, type FakeSigner, type FakeSignerOptions } from './fake-signer.ts'
export { type OddMode, oddProvider } from './odd-provider.ts'
export { makeZip, type ZipEntry } from './zip-writer.ts'
