import { dynamicType, listType, type Path, type PathStep, type Type, typeToText } from '@hykube/tfplugin/value'
import { suggestionText } from './suggestion.ts'

/** The type of a part of a value, or why there is no such part. */
export type PartType = Type | { readonly problem: string }

/** Follows a path through a type. */
export function typeAtPath(type: Type, path: Path): PartType {
  let current: PartType = type
  for (const step of path) {
    current = typeAtStep(current, step)
    if ('problem' in current) return current
  }
  return current
}

/** The type that a type has at one step. */
export function typeAtStep(type: Type, step: PathStep): PartType {
  switch (type.kind) {
    case 'dynamic':
      return dynamicType
    case 'object':
      return attributeOf(type, step)
    case 'map':
      return step.kind === 'index' ? { problem: 'a map has keys, and no indexes' } : type.element
    case 'list':
    case 'set':
      return step.kind === 'index' ? type.element : needsIndex(type, step)
    case 'tuple':
      if (step.kind !== 'index') return needsIndex(type, step)
      return type.elements[step.index] ?? { problem: `it has ${type.elements.length} elements, and no [${step.index}]` }
    default:
      return { problem: `a ${type.kind} has no parts` }
  }
}

/** The type of a list of what is projected so many times by `[*]`. */
export function projectedType(type: PartType, times: number): PartType {
  if ('problem' in type || times === 0) return type
  return projectedType(listType(type), times - 1)
}

function attributeOf(type: Extract<Type, { kind: 'object' }>, step: PathStep): PartType {
  if (step.kind === 'index') return { problem: 'an object has attributes, and no indexes' }
  const name = step.kind === 'key' ? step.key : step.name
  return (
    type.attributes.get(name) ?? {
      problem: `there is no attribute ${JSON.stringify(name)}${suggestionText(name, type.attributes.keys())}`,
    }
  )
}

function needsIndex(type: Type, step: PathStep): PartType {
  const name = step.kind === 'attribute' ? step.name : step.kind === 'key' ? step.key : ''
  const element = type.kind === 'tuple' ? dynamicType : (type as { element: Type }).element
  const isMember = element.kind === 'object' && element.attributes.has(name)
  const shown = isMember ? type.kind : typeToText(type)
  return { problem: `this is a ${shown}: choose an element, as [0].${name}, or all, as [*].${name}` }
}
