import {
  boolType,
  dynamicType,
  listType,
  mapType,
  numberType,
  objectType,
  setType,
  stringType,
  type Type,
  tupleType,
} from './type.ts'
import { ValueError } from './value-error.ts'

/** Parses a type from the JSON text in schemas and dynamic values. Throws ValueError when it is invalid. */
export function typeFromJson(text: string): Type {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new ValueError('a type is not JSON', [], { cause })
  }
  return typeFromParsed(parsed, 0)
}

/** Formats a type as JSON text. */
export function typeToJson(type: Type): string {
  switch (type.kind) {
    case 'list':
    case 'set':
    case 'map':
      return `["${type.kind}",${typeToJson(type.element)}]`
    case 'tuple':
      return `["tuple",[${type.elements.map(typeToJson).join(',')}]]`
    case 'object':
      return objectToJson(type.attributes)
    default:
      return `"${type.kind}"`
  }
}

const maxTypeDepth = 200
const primitives: ReadonlyMap<unknown, Type> = new Map<unknown, Type>([
  ['string', stringType],
  ['number', numberType],
  ['bool', boolType],
  ['dynamic', dynamicType],
])

function objectToJson(attributes: ReadonlyMap<string, Type>): string {
  const members = [...attributes].map(([name, type]) => `${JSON.stringify(name)}:${typeToJson(type)}`)
  return `["object",{${members.join(',')}}]`
}

function typeFromParsed(parsed: unknown, depth: number): Type {
  if (depth > maxTypeDepth) throw new ValueError('a type is nested too deeply', [])
  const primitive = primitives.get(parsed)
  if (primitive !== undefined) return primitive
  if (!Array.isArray(parsed)) throw notAType(parsed)
  const [kind, inner] = parsed as unknown[]
  const nested = (value: unknown) => typeFromParsed(value, depth + 1)
  switch (kind) {
    case 'list':
      return listType(nested(inner))
    case 'set':
      return setType(nested(inner))
    case 'map':
      return mapType(nested(inner))
    case 'tuple':
      if (!Array.isArray(inner)) throw notAType(parsed)
      return tupleType(inner.map(nested))
    case 'object': {
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) throw notAType(parsed)
      const attributes = new Map(Object.entries(inner).map(([name, type]) => [name, nested(type)]))
      // A third element names optional attributes; every attribute of a provider's object type may be left out anyway.
      return objectType(attributes)
    }
    default:
      throw notAType(parsed)
  }
}

function notAType(parsed: unknown): ValueError {
  return new ValueError(`${(JSON.stringify(parsed) ?? 'nothing').slice(0, 100)} is not a type`, [])
}
