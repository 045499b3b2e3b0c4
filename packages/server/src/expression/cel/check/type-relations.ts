import { listType, mapType, opaqueType, sameType, type Type, type TypeKind, typeType } from './types.ts'

/** The inferred types of type variables, by name. */
export type Substitutions = ReadonlyMap<string, Type>

/** Unifies one type with another; returns the extended substitutions, or undefined if they don't match. */
export function assign(known: Substitutions, from: Type, to: Type): Substitutions | undefined {
  return assignAll(known, [from], [to])
}

/** Unifies lists of types. */
export function assignAll(known: Substitutions, from: readonly Type[], to: readonly Type[]): Substitutions | undefined {
  const found = new Map(known)
  return allAssignable(found, from, to) ? found : undefined
}

/** Replaces type variables by their inferred types. `open` decides whether unknown variables stay or become dyn. */
export function substitute(known: Substitutions, type: Type, open: 'keep' | 'dyn', dyn: Type): Type {
  const { kind, parameters } = type
  if (kind === 'parameter') {
    const found = known.get(type.name)
    if (found !== undefined) return substitute(known, found, open, dyn)
    return open === 'dyn' ? dyn : type
  }
  if (parameters.length === 0) return type
  const inner = parameters.map((parameter) => substitute(known, parameter, open, dyn))
  switch (kind) {
    case 'list':
      return listType(inner[0]!)
    case 'map':
      return mapType(inner[0]!, inner[1]!)
    case 'type':
      return typeType(inner[0]!)
    default:
      return opaqueType(type.name, ...inner)
  }
}

/** The more general of two compatible types. */
export function mostGeneral(a: Type, b: Type): Type {
  return isNoMoreSpecific(a, b) ? a : b
}

type Found = Map<string, Type>

function allAssignable(found: Found, from: readonly Type[], to: readonly Type[]): boolean {
  return from.length === to.length && from.every((type, at) => isAssignable(found, type, to[at]!))
}

function isAssignable(found: Found, from: Type, to: Type): boolean {
  if (to.kind === 'parameter') {
    const { valid, had } = bind(found, from, to)
    if (valid) return true
    if (had) return false
  }
  if (from.kind === 'parameter') return bind(found, to, from).valid
  if (isOpen(from) || isOpen(to)) return true
  if (from.kind === 'null') return takesNull(to)
  if (to.kind === 'null') return takesNull(from)
  switch (from.kind) {
    case 'type':
      return to.kind === 'type'
    case 'opaque':
    case 'list':
    case 'map':
      return from.kind === to.kind && from.name === to.name && allAssignable(found, from.parameters, to.parameters)
    default:
      return from.kind === to.kind && from.name === to.name
  }
}

function bind(found: Found, type: Type, parameter: Type): { valid: boolean; had: boolean } {
  if (sameType(type, parameter)) return { valid: true, had: true }
  const before = found.get(parameter.name)
  if (before !== undefined) {
    if (sameType(type, before)) return { valid: true, had: true }
    if (!isAssignable(found, type, before)) return { valid: false, had: true }
    const general = mostGeneral(type, before)
    if (!isReferenced(found, parameter, general)) found.set(parameter.name, general)
    return { valid: true, had: true }
  }
  if (isReferenced(found, parameter, type)) return { valid: false, had: false }
  found.set(parameter.name, type)
  return { valid: true, had: false }
}

function isReferenced(found: Found, parameter: Type, within: Type): boolean {
  if (sameType(parameter, within)) return true
  if (within.kind === 'parameter') {
    const inner = found.get(within.name)
    return inner !== undefined && isReferenced(found, parameter, inner)
  }
  return within.parameters.some((inner) => isReferenced(found, parameter, inner))
}

function isNoMoreSpecific(a: Type, b: Type): boolean {
  if (a.kind === 'dyn' || a.kind === 'parameter') return true
  if (b.kind === 'dyn' || b.kind === 'parameter') return false
  if (a.kind !== b.kind || a.name !== b.name || a.parameters.length !== b.parameters.length) return false
  if (a.kind === 'type') return true
  return a.parameters.every((inner, at) => isNoMoreSpecific(inner, b.parameters[at]!))
}

function isOpen({ kind }: Type): boolean {
  return kind === 'dyn' || kind === 'error'
}

const nullable = new Set<TypeKind>(['opaque', 'struct', 'duration', 'timestamp', 'null'])

function takesNull({ kind }: Type): boolean {
  return nullable.has(kind)
}
