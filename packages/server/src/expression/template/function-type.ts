import { boolType, dynamicType, listType, mapType, numberType, stringType, type Type } from '@hykube/tfplugin/value'
import { kubernetesEnvironment } from '../kubernetes-environment.ts'
import { matchesName } from '../library/regex.ts'
import { argumentName } from './language.ts'
import type { LibraryFunction } from './library-call.ts'

/** The type of what a function gives for arguments of these types; undefined when it takes no such. */
export function functionType(of: LibraryFunction, args: readonly Type[]): Type | undefined {
  if (of.namespace === undefined && args.length === 1) {
    if (of.name === 'dyn') return args[0]
    if (of.name === 'size' && args[0]!.kind !== 'string') return canBeCounted(args[0]!) ? numberType : undefined
  }
  // A number of a provider is an int or a double, which shows only when it is there.
  return resultType(of, args, 'int') ?? resultType(of, args, 'double')
}

const countable = new Set<Type['kind']>(['list', 'set', 'tuple', 'map', 'object', 'dynamic'])

function canBeCounted(type: Type): boolean {
  return countable.has(type.kind)
}

const known = new Map<string, Type | undefined>()

function resultType(of: LibraryFunction, args: readonly Type[], number: 'int' | 'double'): Type | undefined {
  const types = args.map((type) => languageType(type, number))
  const key = JSON.stringify([of, types])
  if (!known.has(key)) {
    if (known.size >= 1000) known.clear()
    known.set(key, checkedType(of, types))
  }
  return known.get(key)
}

function checkedType({ name, isMethod, namespace }: LibraryFunction, types: readonly string[]): Type | undefined {
  const environment = kubernetesEnvironment()
  for (const [index, type] of types.entries()) environment.registerVariable(argumentName(index), type)
  const names = types.map((_, index) => argumentName(index))
  const inside = name === 'matches' ? matchesName : name
  const [receiver, ...others] = names
  const text =
    namespace !== undefined
      ? `${namespace}.${inside}(${names.join(', ')})`
      : isMethod
        ? `${receiver}.${inside}(${others.join(', ')})`
        : `${inside}(${names.join(', ')})`
  const { valid, type } = environment.check(text)
  return valid ? providerType(type ?? 'dyn') : undefined
}

function languageType(type: Type, number: 'int' | 'double'): string {
  switch (type.kind) {
    case 'string':
    case 'bool':
      return type.kind
    case 'number':
      return number
    case 'list':
    case 'set':
      return `list<${languageType(type.element, number)}>`
    case 'tuple':
      return 'list<dyn>'
    case 'map':
      return `map<string, ${languageType(type.element, number)}>`
    case 'object':
      return 'map<string, dyn>'
    case 'dynamic':
      return 'dyn'
  }
}

function providerType(name: string): Type {
  const list = /^list<(.*)>$/.exec(name)
  if (list !== null) return listType(providerType(list[1]!))
  const map = /^map<string, (.*)>$/.exec(name)
  if (map !== null) return mapType(providerType(map[1]!))
  return primitives[name] ?? dynamicType
}

const primitives: Readonly<Record<string, Type>> = {
  string: stringType,
  bool: boolType,
  int: numberType,
  uint: numberType,
  double: numberType,
}
