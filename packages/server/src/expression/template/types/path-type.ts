import { similarName } from '@hykube/machinery/base'
import { dynamicType, listType, type Path, type PathStep, type Type, typeToText } from '@hykube/tfplugin/value'

/** The type of an attribute or element, or the reason why it doesn't exist. */
export type PartType = Type | { readonly problem: string }

/** The type at a path of a type. */
export function typeAtPath(type: Type, path: Path): PartType {
  let current: PartType = type
  for (const step of path) {
    current = typeAtStep(current, step)
    if ('problem' in current) return current
  }
  return current
}

/** The type at one step of a type. */
export function typeAtStep(type: Type, step: PathStep): PartType {
  switch (type.kind) {
    case 'dynamic':
      return dynamicType
    case 'object':
      return attributeOf(type, step)
    case 'map':
      return step.kind === 'index' ? { problem: 'a map has string keys, not indexes' } : type.element
    case 'list':
    case 'set':
      return step.kind === 'index' ? type.element : needsIndex(type, step)
    case 'tuple':
      if (step.kind !== 'index') return needsIndex(type, step)
      return (
        type.elements[step.index] ?? {
          problem: `index ${step.index} is out of range of ${type.elements.length} elements`,
        }
      )
    default:
      return { problem: `a ${type.kind} has no attributes or elements` }
  }
}

/** Wraps a type in a list for each `[*]`. */
export function projectedType(type: PartType, times: number): PartType {
  if ('problem' in type || times === 0) return type
  return projectedType(listType(type), times - 1)
}

/** The message for an unknown attribute, with the most similar known one. */
export function noAttributeText(name: string, known: Iterable<string>): string {
  const similar = similarName(name, known)
  const hint = similar === undefined ? '' : `; did you mean ${JSON.stringify(similar)}?`
  return `there is no attribute ${JSON.stringify(name)}${hint}`
}

function attributeOf(type: Extract<Type, { kind: 'object' }>, step: PathStep): PartType {
  if (step.kind === 'index') return { problem: 'an object has attributes, not indexes' }
  const name = step.kind === 'key' ? step.key : step.name
  return type.attributes.get(name) ?? { problem: noAttributeText(name, type.attributes.keys()) }
}

function needsIndex(type: Type, step: PathStep): PartType {
  const name = step.kind === 'attribute' ? step.name : step.kind === 'key' ? step.key : ''
  const element = type.kind === 'tuple' ? dynamicType : (type as { element: Type }).element
  const isMember = element.kind === 'object' && element.attributes.has(name)
  const shown = isMember ? type.kind : typeToText(type)
  return { problem: `this is a ${shown}: select one element with [0].${name}, or all with [*].${name}` }
}
