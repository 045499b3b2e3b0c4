import { setImmediate as nextTurn } from 'node:timers/promises'
import { type GrpcClient, hasStatus } from '@hykube/tfplugin/grpc'
import {
  identitySchemasFromBytes,
  lazyProviderSchema,
  type ProtocolVersion,
  readEverySchema,
  schemaPaths,
} from '@hykube/tfplugin/protocol'
import { callFailure } from '../guarded-calls.ts'
import type { LaunchedPlugin } from '../launch/launched-plugin.ts'
import { ProviderFailure } from '../provider-failure.ts'
import type { PackageSchema } from '../provider-target.ts'
import type { SchemaBytes } from './schema-file.ts'

/** Requests the schemas of a process and decodes all of them once, so that a malformed one fails here and not on first use. */
export async function fetchSchemaBytes(launched: LaunchedPlugin, signal?: AbortSignal): Promise<SchemaBytes> {
  const { plugin, deadlines } = launched
  const { protocolVersion, grpc } = plugin
  const options = { timeout: deadlines.local, ...(signal !== undefined && { signal }) }
  const paths = schemaPaths(protocolVersion)
  try {
    const schema = await grpc.unary(paths.schema, new Uint8Array(0), options)
    const identities = await identitiesOf(grpc, paths.identities, options)
    await check(schema, identities, protocolVersion, launched)
    return { protocolVersion, schema, ...(identities !== undefined && { identities }) }
  } catch (error) {
    throw await callFailure(error, 'give its schema', options, launched)
  }
}

/** Wraps the encoded schemas; each type is decoded when it is first used. */
export function packageSchemaFrom({ protocolVersion, schema, identities }: SchemaBytes): PackageSchema {
  return {
    protocolVersion,
    schema: lazyProviderSchema(schema, protocolVersion),
    identitySchemas:
      identities === undefined ? new Map() : identitySchemasFromBytes(identities, protocolVersion).identitySchemas,
  }
}

async function identitiesOf(grpc: GrpcClient, path: string, options: { readonly timeout: number }) {
  try {
    return await grpc.unary(path, new Uint8Array(0), options)
  } catch (error) {
    if (hasStatus(error, 'UNIMPLEMENTED')) return undefined
    throw error
  }
}

async function check(
  bytes: Uint8Array,
  identities: Uint8Array | undefined,
  version: ProtocolVersion,
  { named, scrubber }: LaunchedPlugin,
): Promise<void> {
  try {
    const { diagnostics } = lazyProviderSchema(bytes, version)
    if (identities !== undefined) identitySchemasFromBytes(identities, version)
    const error = diagnostics.find(({ severity }) => severity === 'error')
    if (error !== undefined) throw new Error([error.summary, error.detail].filter(Boolean).join(': '))
    await runYielding(readEverySchema(bytes, version))
  } catch (error) {
    const why = scrubber.text((error as Error).message)
    throw new ProviderFailure('ProviderMisbehaved', `cannot use the schema of ${named}: ${why}`)
  }
}

// Decoding thousands of types takes half a second, so the loop yields to the event loop regularly.
async function runYielding(steps: Iterable<void>): Promise<void> {
  let start = performance.now()
  for (const _ of steps) {
    if (performance.now() - start < maxBlockingTime) continue
    await nextTurn()
    start = performance.now()
  }
}

// In milliseconds.
const maxBlockingTime = 5
