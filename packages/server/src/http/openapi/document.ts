import { setImmediate } from 'node:timers/promises'

/**
 * A document as a tree whose large parts are generated entry by entry, so that building it neither blocks the event
 * loop nor needs all of it as objects.
 */
export type DocumentPart =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'entries'; readonly entries: Iterable<readonly [name: string, value: unknown]> }
  | { readonly kind: 'fields'; readonly fields: Readonly<Record<string, DocumentPart>> }

/** Creates a part from a value. */
export function value(value: unknown): DocumentPart {
  return { kind: 'value', value }
}

/** Creates a part from generated entries. */
export function entries(entries: Iterable<readonly [name: string, value: unknown]>): DocumentPart {
  return { kind: 'entries', entries }
}

/** Creates a part from other parts. */
export function fields(fields: Readonly<Record<string, DocumentPart>>): DocumentPart {
  return { kind: 'fields', fields }
}

/** Tells long work when to yield to the event loop. */
export class Slices {
  #started = performance.now()

  /** True when the work should yield. Cheap enough to check after every entry. */
  get isFinished(): boolean {
    return performance.now() - this.#started > sliceMilliseconds
  }

  async pause(): Promise<void> {
    await setImmediate()
    this.#started = performance.now()
  }
}

const sliceMilliseconds = 5

/** Encodes a document as JSON. */
export async function jsonDocument(part: DocumentPart): Promise<Buffer> {
  const chunks: Buffer[] = []
  await writeJson(part, chunks, new Slices())
  return Buffer.concat(chunks)
}

async function writeJson(part: DocumentPart, chunks: Buffer[], slices: Slices): Promise<void> {
  if (part.kind === 'value') {
    chunks.push(Buffer.from(JSON.stringify(part.value)))
    return
  }
  let separator = '{'
  if (part.kind === 'fields')
    for (const [name, inner] of Object.entries(part.fields)) {
      chunks.push(Buffer.from(`${separator}${JSON.stringify(name)}:`))
      await writeJson(inner, chunks, slices)
      separator = ','
    }
  else
    for (const [name, entry] of part.entries) {
      chunks.push(Buffer.from(`${separator}${JSON.stringify(name)}:${JSON.stringify(entry)}`))
      separator = ','
      if (slices.isFinished) await slices.pause()
    }
  chunks.push(Buffer.from(separator === '{' ? '{}' : '}'))
}
