import { typeLines } from './generated/types.generated.ts'

/** Facts about a Kubernetes API type, identified by its OpenAPI name (`io.k8s.api.core.v1.PodSpec`). */
export interface TypeFacts {
  readonly name: string
  /** In encoding order. An inlined type is a single field marked `inline`. */
  readonly fields: readonly FieldFacts[]
  /** Owned and replaced as a whole by server-side apply. */
  readonly atomic: boolean
  /** Item type of a list that is a message of its own in protobuf. */
  readonly listOf: TypeRef | undefined
  readonly unions: readonly UnionFacts[]
}

/** Facts about a field. */
export interface FieldFacts {
  /** Empty for an inlined field. */
  readonly name: string
  /** Protobuf field number; 0 for apiVersion and kind, which the envelope carries. */
  readonly number: number
  readonly type: TypeRef
  readonly collection: 'none' | 'list' | 'map'
  /** A Go pointer, which distinguishes unset from zero. */
  readonly pointer: boolean
  /** Encoded even when zero. */
  readonly always: boolean
  /** A struct that is omitted when zero. */
  readonly omitZero: boolean
  readonly inline: boolean
  readonly required: boolean
  readonly listType: 'atomic' | 'set' | 'map' | undefined
  readonly listMapKeys: readonly string[]
  /** Set when the field itself states whether a map or struct is replaced as a whole or merged. */
  readonly mapType: 'atomic' | 'granular' | undefined
  readonly patchStrategies: readonly ('merge' | 'replace' | 'retainKeys')[]
  readonly patchMergeKey: string | undefined
  /** Undefined when there is no default or it is the zero value. */
  readonly default: unknown
}

/** A scalar by its protobuf name, or another type by its full name. */
export type TypeRef =
  | { readonly kind: 'scalar'; readonly scalar: ScalarName }
  | { readonly kind: 'type'; readonly name: string }

export type ScalarName = 'string' | 'bool' | 'int32' | 'int64' | 'uint32' | 'uint64' | 'double' | 'float' | 'bytes'

/** Fields of which at most one may be set. */
export interface UnionFacts {
  readonly discriminator: string | undefined
  readonly fields: Readonly<Record<string, string>>
}

/** Returns the facts of a type; undefined for leaf types and for types of kinds that are not served. */
export function typeFacts(name: string): TypeFacts | undefined {
  const known = parsed.get(name)
  if (known !== undefined) return known
  lines ??= indexLines()
  const line = lines.get(name)
  if (line === undefined) return undefined
  const facts = parseType(name, line)
  parsed.set(name, facts)
  return facts
}

/** Names of all types in the tables. */
export function typeNames(): string[] {
  lines ??= indexLines()
  return [...lines.keys()]
}

const parsed = new Map<string, TypeFacts>()
const packages = new Map<string, string>()
let lines: Map<string, string> | undefined

// The generated table has one line per type, below a line `#alias package` for its package. Lines are parsed on first
// use.
function indexLines(): Map<string, string> {
  const index = new Map<string, string>()
  let typePackage = ''
  for (const line of typeLines.split('\n')) {
    const space = line.indexOf(' ')
    if (line.startsWith('#')) {
      typePackage = line.slice(space + 1)
      packages.set(line.slice(1, space), typePackage)
    } else index.set(`${typePackage}.${line.slice(0, space)}`, line.slice(space + 1))
  }
  return index
}

function parseType(name: string, line: string): TypeFacts {
  const space = line.indexOf(' ')
  const [flags = '-', ...unions] = line.slice(0, space).split('|')
  const body = line.slice(space + 1)
  const owner = name.slice(0, name.lastIndexOf('.'))
  return {
    name,
    fields: flags === 'w' || body === '' ? [] : body.split(';').map((field) => parseField(owner, field)),
    atomic: flags === 'a',
    listOf: flags === 'w' ? typeRef(owner, body.slice(1)) : undefined,
    unions: unions.map(parseUnion),
  }
}

function parseField(owner: string, text: string): FieldFacts {
  const [name = '', number = '', type = '', flags = '', list = '', patch = '', ...rest] = text.split(',')
  const collection = type.startsWith('[') ? 'list' : type.startsWith('{') ? 'map' : 'none'
  // Byte strings are lists in Go and may have list markers.
  const isList = collection === 'list' || type === 'y'
  const [listLetter = '', ...listMapKeys] = list.split(':')
  const [patchLetters = '', patchMergeKey] = patch.split(':')
  return {
    name,
    number: Number(number),
    type: typeRef(owner, collection === 'none' ? type : type.slice(1)),
    collection,
    pointer: flags.includes('?'),
    always: flags.includes('!'),
    omitZero: flags.includes('z'),
    inline: flags.includes('^'),
    required: flags.includes('*'),
    listType: isList ? listTypes[listLetter] : undefined,
    listMapKeys,
    mapType: isList ? undefined : mapTypes[listLetter],
    patchStrategies: [...patchLetters].map((letter) => patchStrategies[letter]!),
    patchMergeKey,
    default: rest.length === 0 ? undefined : JSON.parse(rest.join(',').slice(1)),
  }
}

const listTypes: Readonly<Record<string, 'atomic' | 'set' | 'map'>> = { a: 'atomic', s: 'set', m: 'map' }

const mapTypes: Readonly<Record<string, 'atomic' | 'granular'>> = { a: 'atomic', g: 'granular' }

const patchStrategies: Readonly<Record<string, 'merge' | 'replace' | 'retainKeys'>> = {
  m: 'merge',
  r: 'replace',
  k: 'retainKeys',
}

const scalars: Readonly<Record<string, ScalarName>> = {
  s: 'string',
  b: 'bool',
  i: 'int32',
  l: 'int64',
  u: 'uint32',
  v: 'uint64',
  d: 'double',
  f: 'float',
  y: 'bytes',
}

function typeRef(owner: string, text: string): TypeRef {
  const scalar = scalars[text]
  if (scalar !== undefined) return { kind: 'scalar', scalar }
  const dot = text.indexOf('.')
  const name = dot < 0 ? `${owner}.${text}` : `${packages.get(text.slice(0, dot))}.${text.slice(dot + 1)}`
  return { kind: 'type', name }
}

function parseUnion(text: string): UnionFacts {
  const [discriminator = '', ...fields] = text.split(':')
  return {
    discriminator: discriminator === '' ? undefined : discriminator,
    fields: Object.fromEntries(fields.map((field) => field.split('='))) as Record<string, string>,
  }
}
