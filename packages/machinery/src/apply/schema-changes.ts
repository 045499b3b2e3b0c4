import type { TypeShape } from '../schema/index.ts'
import { emptyFieldSet, type FieldSet, isEmptySet, isMember, nodeOf } from './field-set.ts'
import { fieldNameOf, type PathElement } from './path-element.ts'
import { isNamedField, shapeAt } from './shape.ts'

/**
 * Adapts a set to the current schema: the owner of fields inside a container that has become atomic owns the whole container.
 * Returns the same set when nothing changed.
 */
export function reconcileWithSchema(shape: TypeShape, set: FieldSet): FieldSet {
  let result: Record<PathElement, FieldSet> | undefined
  for (const element in set) {
    if (element === '.') continue
    const inner = shapeAt(shape, element)
    if (inner === undefined || inner.kind === 'scalar') continue
    const node = set[element]!
    const reconciled = reconcileNode(inner, node)
    if (reconciled === node) continue
    result ??= { ...set }
    result[element] = reconciled
  }
  return result ?? set
}

/** Adds to the set every declared field that has members below it. */
export function withNamedFields(shape: TypeShape | undefined, set: FieldSet): FieldSet {
  let result: Record<PathElement, FieldSet> | undefined
  for (const element in set) {
    if (element === '.') continue
    const node = set[element]!
    if (isEmptySet(node)) continue
    const name = fieldNameOf(element)
    const isNamed = shape !== undefined && name !== undefined && isNamedField(shape, name)
    const inner = withNamedFields(shape === undefined ? undefined : shapeAt(shape, element), node)
    const named = nodeOf(isNamed || isMember(node), inner)!
    if (named === node) continue
    result ??= { ...set }
    result[element] = named
  }
  return result ?? set
}

function reconcileNode(shape: TypeShape, node: FieldSet): FieldSet {
  if (isEmptySet(node)) return node
  if (isDeduced(shape)) return node
  if (isAtomicContainer(shape)) return emptyFieldSet
  return nodeOf(isMember(node), reconcileWithSchema(shape, node))!
}

/** Values without a schema have no list or map types that could have changed. */
function isDeduced(shape: TypeShape): boolean {
  if (shape.kind === 'any') return shape.mapType !== 'atomic'
  return shape.kind === 'map' && shape.element.kind === 'any' && shape.element.mapType !== 'atomic'
}

function isAtomicContainer(shape: TypeShape): boolean {
  switch (shape.kind) {
    case 'list':
      return shape.listType === undefined || shape.listType === 'atomic'
    case 'struct':
      return shape.structType === 'atomic'
    case 'map':
    case 'any':
      return shape.mapType === 'atomic'
    default:
      return false
  }
}
