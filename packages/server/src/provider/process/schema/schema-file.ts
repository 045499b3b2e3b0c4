import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ProtocolVersion } from '@hykube/tfplugin/protocol'

/** The encoded schema responses of a provider. */
export interface SchemaBytes {
  readonly protocolVersion: ProtocolVersion
  readonly schema: Uint8Array
  /** Absent if the provider has no resource identities. */
  readonly identities?: Uint8Array
}

/** Reads a schema file; undefined if it is missing, damaged or for another package. */
export async function readSchemaFile(file: string, hash: string): Promise<SchemaBytes | undefined> {
  try {
    const bytes = await readFile(file)
    const end = bytes.indexOf(lineEnd)
    const header = JSON.parse(bytes.toString('utf8', 0, end)) as Header
    const content = bytes.subarray(end + 1)
    if (header.format !== schemaFormat || header.hash !== hash || header.sha256 !== checksum(content)) return undefined
    const { protocol, schemaLength } = header
    const identities = header.hasIdentities ? { identities: content.subarray(schemaLength) } : {}
    return { protocolVersion: protocol, schema: content.subarray(0, schemaLength), ...identities }
  } catch {
    return undefined
  }
}

/** Writes a schema file atomically. */
export async function writeSchemaFile(file: string, hash: string, given: SchemaBytes): Promise<void> {
  const { schema, identities, protocolVersion } = given
  const content = identities === undefined ? [schema] : [schema, identities]
  const header: Header = {
    format: schemaFormat,
    hash,
    protocol: protocolVersion,
    schemaLength: schema.length,
    hasIdentities: identities !== undefined,
    sha256: checksum(...content),
  }
  await mkdir(dirname(file), { recursive: true })
  const scratch = `${file}.${randomBytes(6).toString('hex')}`
  // Written as several chunks, because concatenating would copy megabytes.
  await writeFile(scratch, [`${JSON.stringify(header)}\n`, ...content])
  await rename(scratch, file)
}

/** The version of the file format. Increment it with every change of the format. */
export const schemaFormat = 1

interface Header {
  readonly format: number
  readonly hash: string
  readonly protocol: ProtocolVersion
  readonly schemaLength: number
  readonly hasIdentities: boolean
  readonly sha256: string
}

const lineEnd = 0x0a

function checksum(...parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}
