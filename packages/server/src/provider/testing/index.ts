/** What tests of providers share. */
export { attributesIn, blocksIn, depthOf, largeSchema } from './large-schema.ts'
export { plainTemplates } from './plain-templates.ts'
export { blockIn, blockOf, nested, plain, providerOf } from './schema-builder.ts'
