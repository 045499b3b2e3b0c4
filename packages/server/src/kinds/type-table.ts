import { typeLines } from './generated/types.generated.ts'

/** What is known of a type of the Kubernetes API, by its name in OpenAPI (`io.k8s.api.core.v1.PodSpec`). */
export interface TypeFacts {
  readonly name: string
  /** In the order in which Kubernetes writes them; fields of inlined types are among them as one inlined field. */
  readonly fields: readonly FieldFacts[]
  /** Owned and replaced as a whole. */
  readonly atomic: boolean
  /** A list that has a message of its own in protobuf: the type of its items. */
  readonly listOf: TypeRef | undefined
  readonly unions: readonly UnionFacts[]
}

/** What is known of a field. */
export interface FieldFacts {
  /** Empty for an inlined field. */
  readonly name: string
  /** 0 for what the envelope carries (apiVersion and kind). */
  readonly number: number
  readonly type: TypeRef
  readonly collection: 'none' | 'list' | 'map'
  /** A Go pointer: told apart from its zero value. */
  readonly pointer: boolean
  /** Written also when zero. */
  readonly always: boolean
  /** A struct that is left out when zero. */
  readonly omitZero: boolean
  readonly inline: boolean
  readonly required: boolean
  readonly listType: 'atomic' | 'set' | 'map' | undefined
  readonly listMapKeys: readonly string[]
  /** For maps and structs: whether they are owned and replaced as a whole, where the field says so itself. */
  readonly mapType: 'atomic' | 'granular' | undefined
  readonly patchStrategies: readonly ('merge' | 'replace' | 'retainKeys')[]
  readonly patchMergeKey: string | undefined
  /** Undefined where the default is the zero value or there is none. */
  readonly default: unknown
}

/** A scalar by its protobuf name, or the full name of another type. */
export type TypeRef =
  | { readonly kind: 'scalar'; readonly scalar: ScalarName }
  | { readonly kind: 'type'; readonly name: string }

export type ScalarName = 'string' | 'bool' | 'int32' | 'int64' | 'uint32' | 'uint64' | 'double' | 'float' | 'bytes'

/** Fields of which one may be set. */
export interface UnionFacts {
  readonly discriminator: string | undefined
  readonly fields: Readonly<Record<string, string>>
}

/** The facts of a type; undefined when it is not in the tables (leaf types, types of kinds that are not served). */
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

/** The names of all types in the tables. */
export function typeNames(): string[] {
  lines ??= indexLines()
  return [...lines.keys()]
}

const parsed = new Map<string, TypeFacts>()
const packages = new Map<string, string>()
let lines: Map<string, string> | undefined

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
  // Bytes are a list to Go, and may say so.
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
