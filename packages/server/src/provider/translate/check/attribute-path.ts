import { AddressError, type AttributePath, parseAttributePath } from '@hykube/machinery/object'
import type { Structure } from '../structure.ts'

/** Checks a path into an object's attributes, such as `tags["a"]` or `rule[0].days`. Returns the problem, or undefined. */
export function attributePathProblem(structure: Structure, text: string): string | undefined {
  const path = pathFrom(text)
  if (path === undefined) return 'must be a path of attributes, such as tags["a"] or rule[0].days'
  let at: Structure | undefined = structure
  for (const [index, part] of path.entries()) {
    at = at === undefined ? undefined : stepInto(at, part)
    if (at === undefined) return `there is no ${JSON.stringify(path.slice(0, index + 1).join('.'))} in the schema`
  }
  return undefined
}

function stepInto(structure: Structure, part: string | number): Structure | undefined {
  switch (structure.kind) {
    case 'object':
      return typeof part === 'string' ? structure.fields.get(part)?.structure : undefined
    case 'map':
      return typeof part === 'string' ? structure.element : undefined
    case 'list':
    case 'set':
      return typeof part === 'number' ? structure.element : undefined
    case 'tuple':
      return typeof part === 'number' ? structure.elements[part] : undefined
    case 'dynamic':
      return structure
    default:
      return undefined
  }
}

function pathFrom(text: string): AttributePath | undefined {
  try {
    return parseAttributePath(text)
  } catch (error) {
    if (error instanceof AddressError) return undefined
    throw error
  }
}
