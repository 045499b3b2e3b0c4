import { dynType } from '../../cel/check/types.ts'
import { TypeValue } from '../../cel/evaluate/values.ts'
import { templateFunctions, typeNames } from '../../kubernetes-functions.ts'

/** Returns whether a name is built in: a type, or the namespace of functions. Other names start references. */
export function isConstant(name: string): boolean {
  constants ??= new Set([...typeNames.keys(), ...namespaces(), 'cel'].filter((each) => !each.includes('.')))
  return constants.has(name)
}

/** The value of a built-in name. A namespace has no value of its own and gets the type dyn. */
export function constantOf(name: string): TypeValue {
  return new TypeValue(typeNames.get(name)?.parameters[0] ?? dynType)
}

let constants: ReadonlySet<string> | undefined

function namespaces(): string[] {
  return [...templateFunctions().keys()].filter((name) => name.includes('.')).map((name) => name.split('.')[0]!)
}
