import { dynType } from '../cel/types.ts'
import { TypeValue } from '../cel/values.ts'
import { templateFunctions, typeNames } from '../kubernetes-functions.ts'

/** The names that the language has by itself: types, and what functions are called on. */
export function isConstant(name: string): boolean {
  constants ??= new Set([...typeNames.keys(), ...namespaces(), 'cel'].filter((each) => !each.includes('.')))
  return constants.has(name)
}

/** The value of a name that the language has by itself. What functions are called on is nothing on its own. */
export function constantOf(name: string): TypeValue {
  return new TypeValue(typeNames.get(name)?.parameters[0] ?? dynType)
}

let constants: ReadonlySet<string> | undefined

function namespaces(): string[] {
  return [...templateFunctions().keys()].filter((name) => name.includes('.')).map((name) => name.split('.')[0]!)
}
