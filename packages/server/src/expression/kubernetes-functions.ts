import { type Functions, functionsOf, type Overload, overloadsOf } from './cel/check/functions.ts'
import { libraryTypes } from './cel/check/type-text.ts'
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
  optionalType,
  stringType,
  type Type,
  timestampType,
  typeType,
  uintType,
} from './cel/check/types.ts'
import { standardFunctions } from './cel/evaluate/standard.ts'
import { ipFunctions } from './library/ip.ts'
import { listFunctions } from './library/lists.ts'
import { formatFunctions } from './library/named-format.ts'
import { quantityFunctions } from './library/quantity.ts'
import { regexFunctions } from './library/regex.ts'
import { semverFunctions } from './library/semver.ts'
import { stringFunctions } from './library/strings.ts'
import { urlFunctions } from './library/url.ts'

/** CEL's functions and the libraries of Kubernetes. Built on first use, because parsing the signatures takes milliseconds. */
export function kubernetesFunctions(): Functions {
  functions ??= functionsOf(overloads())
  return functions
}

/** The same functions and a few more, for `${…}` in resources. */
export function templateFunctions(): Functions {
  ours ??= functionsOf(overloads(), overloadsOf(additions))
  return ours
}

/** The type names that expressions may use as values. */
export const typeNames: ReadonlyMap<string, Type> = new Map(
  [
    ...[boolType, bytesType, doubleType, intType, nullType, stringType, uintType, timestampType, durationType],
    ...[listType(dynType), mapType(dynType, dynType), optionalType(dynType), typeType()],
    ...Object.values(libraryTypes),
  ].map((type) => [type.name, typeType(type)]),
)

let functions: Functions | undefined
let ours: Functions | undefined

const additions = {
  'string.reverse(): string': (text: string) => [...text].reverse().join(''),
}

function overloads(): Overload[] {
  return [
    ...standardFunctions(),
    ...stringFunctions(),
    ...regexFunctions(),
    ...listFunctions(),
    ...urlFunctions(),
    ...ipFunctions(),
    ...quantityFunctions(),
    ...semverFunctions(),
    ...formatFunctions(),
  ]
}
