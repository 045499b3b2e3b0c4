import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** JSON and protobuf encoding of a Go struct field, from its type and tags. */
export interface GoField {
  readonly jsonName: string
  readonly goType: string
  readonly pointer: boolean
  readonly omitEmpty: boolean
  readonly omitZero: boolean
  readonly inline: boolean
  /** 0 when the field is not part of the protobuf message. */
  readonly number: number
}

/** Types of one Go package: structs by name, and named slices, which are protobuf messages of their own. */
export interface GoPackage {
  readonly structs: ReadonlyMap<string, readonly GoField[]>
  readonly slices: ReadonlySet<string>
}

/** Parses the types in the Go files of a directory. */
export function readGoPackage(directory: string): GoPackage {
  const structs = new Map<string, GoField[]>()
  const slices = new Set<string>()
  for (const file of goFiles(directory)) readGoFile(readFileSync(join(directory, file), 'utf8'), structs, slices)
  return { structs, slices }
}

function goFiles(directory: string): string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .filter((file) => file.endsWith('.go') && !file.endsWith('_test.go') && !/^(zz_)?generated/.test(file))
    .sort()
}

function readGoFile(text: string, structs: Map<string, GoField[]>, slices: Set<string>): void {
  let fields: GoField[] | undefined
  for (const line of text.split('\n')) {
    const start = /^type (\w+) (struct ?\{|\[\]\w)/.exec(line)
    if (start !== null && start[2]!.startsWith('[')) slices.add(start[1]!)
    else if (start !== null) {
      fields = []
      structs.set(start[1]!, fields)
      if (line.endsWith('}')) fields = undefined
    } else if (line === '}') fields = undefined
    else if (fields !== undefined) {
      const field = readField(line)
      if (field !== undefined) fields.push(field)
    }
  }
}

function readField(line: string): GoField | undefined {
  const match = /^\t(?:(\w+)\s+)?([\w.[\]*]+)\s+`([^`]*)`/.exec(line)
  if (match === null) return undefined
  const [, name, goType, tags] = match
  const [jsonName = '', ...options] = tag(tags!, 'json').split(',')
  if (jsonName === '-') return undefined
  return {
    jsonName: jsonName === '' && !options.includes('inline') ? (name ?? '') : jsonName,
    goType: goType!.replace(/^\*/, ''),
    pointer: goType!.startsWith('*'),
    omitEmpty: options.includes('omitempty'),
    omitZero: options.includes('omitzero'),
    inline: options.includes('inline'),
    number: Number(/^\w+,(\d+)/.exec(tag(tags!, 'protobuf'))?.[1] ?? 0),
  }
}

function tag(tags: string, name: string): string {
  return new RegExp(`(?:^|\\s)${name}:"([^"]*)"`).exec(tags)?.[1] ?? ''
}
