import { WireWriter } from '@hykube/machinery/protobuf'
import { type DocumentPart, Slices } from '../document.ts'
import { encodeField, encodeNamed, type GnosticField, type GnosticMessage } from './message.ts'

/** Encodes a document in gnostic's protobuf form. */
export async function protobufDocument(part: DocumentPart, message: GnosticMessage): Promise<Buffer> {
  return Buffer.concat(await messageChunks(part, message, new Slices()))
}

async function messageChunks(part: DocumentPart, message: GnosticMessage, slices: Slices): Promise<Uint8Array[]> {
  if (part.kind === 'entries') return entryChunks(part.entries, message, slices)
  if (part.kind === 'value') throw new Error('a value has no message of its own')
  const chunks: Uint8Array[] = []
  for (const [name, inner] of Object.entries(part.fields)) {
    const field = message.fields[name]
    if (field !== undefined) chunks.push(...(await fieldChunks(inner, field, slices)))
  }
  return chunks
}

async function fieldChunks(part: DocumentPart, field: GnosticField, slices: Slices): Promise<Uint8Array[]> {
  if (part.kind === 'value') return [encodeField(field, part.value)]
  const chunks = await messageChunks(part, (field.type as () => GnosticMessage)(), slices)
  return [
    head(
      field.number,
      chunks.reduce((sum, { length }) => sum + length, 0),
    ),
    ...chunks,
  ]
}

async function entryChunks(
  entries: Iterable<readonly [name: string, value: unknown]>,
  { named }: GnosticMessage,
  slices: Slices,
): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = []
  for (const [name, value] of entries) {
    chunks.push(encodeNamed(named!, name, value))
    if (slices.isFinished) await slices.pause()
  }
  return chunks
}

// Tag and length of a message.
function head(number: number, length: number): Uint8Array {
  const writer = new WireWriter()
  writer.tag(number, 2)
  writer.uint32(length)
  return writer.finish().slice()
}
