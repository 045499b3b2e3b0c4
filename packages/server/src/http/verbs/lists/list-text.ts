import type { BodyWriter, Response } from '../../front/index.ts'
import { type Media, mediaTypes } from '../../negotiation.ts'
import { writeYaml } from '../../yaml/yaml-work.ts'
import type { ListEncoding, ListMeta } from './list-encoding.ts'
import { metadataAfter, piecesFrom, type Reading } from './list-reading.ts'
import type { ListPiece } from './list-source.ts'

/** Streams a list as YAML or indented JSON, piece by piece. */
export function textList(reading: Reading, first: ListPiece, media: Media): Response {
  const headers = { 'content-type': mediaTypes[media], 'cache-control': 'no-cache, private' }
  const text = media === 'yaml' ? new YamlList(reading.encoding) : new IndentedList(reading.encoding)
  return { status: 200, headers, body: (writer) => stream(reading, first, text, writer), compressible: true }
}

/** Text form of a list: start, items, end. */
interface ListText {
  open(head: object): Promise<string> | string
  /** Called with at least one item. */
  items(items: readonly unknown[]): Promise<string> | string
  close(metadata: ListMeta): Promise<string> | string
}

async function stream(reading: Reading, first: ListPiece, text: ListText, writer: BodyWriter): Promise<void> {
  const write = async (part: string) => writer.write(Buffer.from(part))
  await write(await text.open(reading.encoding.head))
  let last = first
  let count = 0
  for await (const piece of piecesFrom(reading, first)) {
    if (writer.signal.aborted) return
    count += piece.count
    last = piece
    for (const items of inShares(itemsOf(reading.encoding, piece))) {
      await write(await text.items(items))
      await reading.turns.next()
    }
  }
  await write(await text.close(await metadataAfter(reading, last, count)))
}

// Items per step: formatting text costs several times as much as reading stored bytes.
const share = 20

function inShares(items: readonly unknown[]): (readonly unknown[])[] {
  const shares: (readonly unknown[])[] = []
  for (let start = 0; start < items.length; start += share) shares.push(items.slice(start, start + share))
  return shares
}

function itemsOf(encoding: ListEncoding, { joined, objects = [] }: ListPiece): readonly unknown[] {
  if (joined !== undefined) return JSON.parse(`[${Buffer.from(joined).toString()}]`) as unknown[]
  return objects.map((object) => encoding.item(object))
}

/** JSON with two spaces per level, equal to JSON.stringify of the whole document. */
class IndentedList implements ListText {
  readonly #itemsField: string
  #begun = false

  constructor({ itemsField }: ListEncoding) {
    this.#itemsField = itemsField
  }

  open(head: object): string {
    return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  ${JSON.stringify(this.#itemsField)}: [`
  }

  items(items: readonly unknown[]): string {
    const text = JSON.stringify(items, null, 2).slice(2, -2).replaceAll('\n', '\n  ')
    const separator = this.#begun ? ',' : ''
    this.#begun = true
    return `${separator}\n  ${text}`
  }

  close(metadata: ListMeta): string {
    const end = this.#begun ? '\n  ]' : ']'
    return `${end},\n  "metadata": ${JSON.stringify(metadata, null, 2).replaceAll('\n', '\n  ')}\n}\n`
  }
}

/** YAML with sorted fields, equal to the YAML of the whole document. */
class YamlList implements ListText {
  readonly #itemsField: string
  #after: object = {}
  #begun = false

  constructor({ itemsField }: ListEncoding) {
    this.#itemsField = itemsField
  }

  open(head: object): Promise<string> {
    const fields = Object.entries(head)
    this.#after = Object.fromEntries(fields.filter(([name]) => name > this.#itemsField))
    return writeYaml(JSON.stringify(Object.fromEntries(fields.filter(([name]) => name < this.#itemsField))))
  }

  async items(items: readonly unknown[]): Promise<string> {
    const text = await writeYaml(JSON.stringify({ [this.#itemsField]: items }))
    const withName = !this.#begun
    this.#begun = true
    return withName ? text : text.slice(text.indexOf('\n') + 1)
  }

  async close(metadata: ListMeta): Promise<string> {
    const after = await writeYaml(JSON.stringify({ ...this.#after, metadata }))
    return `${this.#begun ? '' : `${this.#itemsField}: []\n`}${after}`
  }
}
