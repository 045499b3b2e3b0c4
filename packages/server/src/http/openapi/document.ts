import { setImmediate } from 'node:timers/promises'

/**
 * A document as a tree whose large parts are made one entry at a time, so that making it neither blocks the process nor
 * holds it whole as objects.
 */
export type DocumentPart =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'entries'; readonly entries: Iterable<readonly [name: string, value: unknown]> }
  | { readonly kind: 'fields'; readonly fields: Readonly<Record<string, DocumentPart>> }

/** A part that is there already. */
export function value(value: unknown): DocumentPart {
  return { kind: 'value', value }
}

/** A part of many entries by name. */
export function entries(entries: Iterable<readonly [name: string, value: unknown]>): DocumentPart {
  return { kind: 'entries', entries }
}

/** A part made of parts. */
export function fields(fields: Readonly<Record<string, DocumentPart>>): DocumentPart {
  return { kind: 'fields', fields }
}

/** Lets others run when a piece of work has taken long enough. */
export class Slices {
  #started = performance.now()

  /** Whether to pause before going on. Cheap, asked after every entry. */
  get isOver(): boolean {
    return performance.now() - this.#started > sliceMilliseconds
  }

  async pause(): Promise<void> {
    await setImmediate()
    this.#started = performance.now()
  }
}

const sliceMilliseconds = 5

/** A document as JSON. */
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
      if (slices.isOver) await slices.pause()
    }
  chunks.push(Buffer.from(separator === '{' ? '{}' : '}'))
}
