import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  opaqueType,
  optionalType,
  stringType,
  structType,
  type Type,
  timestampType,
  typeParameter,
  typeType,
  uintType,
} from './types.ts'

/** The types of Kubernetes' libraries, by their short names in signatures. */
export const libraryTypes = {
  URL: structType('kubernetes.URL'),
  Quantity: structType('kubernetes.Quantity'),
  Semver: structType('kubernetes.Semver'),
  NamedFormat: structType('kubernetes.NamedFormat'),
  IP: opaqueType('net.IP'),
  CIDR: opaqueType('net.CIDR'),
} as const satisfies Record<string, Type>

const named: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['dyn', dynType],
  ['null', nullType],
  ['bool', boolType],
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
  ['string', stringType],
  ['bytes', bytesType],
  ['timestamp', timestampType],
  ['duration', durationType],
  ['list', listType(dynType)],
  ['map', mapType(dynType, dynType)],
  ...Object.entries(libraryTypes),
])

/** Parses a type of a signature: `map<string, list<T>>`; a single capital letter is a type parameter. */
export function typeFromText(text: string): Type {
  const bare = text.trim()
  const known = named.get(bare)
  if (known !== undefined) return known
  if (/^[A-Z]$/.test(bare)) return typeParameter(bare)
  const generic = /^(\w+)<(.*)>$/.exec(bare)
  const parameters = generic === null ? [] : splitTypes(generic[2]!).map(typeFromText)
  switch (generic?.[1]) {
    case 'list':
      return listType(parameters[0]!)
    case 'map':
      return mapType(parameters[0]!, parameters[1]!)
    case 'optional':
      return optionalType(parameters[0]!)
    case 'type':
      return typeType(parameters[0]!)
    default:
      throw new TypeError(`unknown type ${text}`)
  }
}

/** Splits a list of types at its top-level commas. */
export function splitTypes(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let begin = 0
  for (const [at, character] of [...text].entries()) {
    if (character === '<') depth++
    else if (character === '>') depth--
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(begin, at))
      begin = at + 1
    }
  }
  const last = text.slice(begin)
  return last.trim() === '' ? parts : [...parts, last]
}
