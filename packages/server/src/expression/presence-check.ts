import type { Environment } from '@marcbachmann/cel-js'
import { fieldsOfType } from './schema-types.ts'

/** A part of a parsed and checked expression, as far as it is looked at here. */
interface Node {
  readonly op?: string
  readonly args?: unknown
  readonly range?: { readonly start: number }
  readonly checkedType?: { readonly name: string }
}

/** A field that `has` asks for and that can't be there. */
export interface ImpossibleField {
  readonly name: string
  readonly node: Node
}

/** Looks for `has(x.y)` with a y that the type of x does not have: the CEL library takes any name there. */
export function impossibleField(part: unknown, environment: Environment): ImpossibleField | undefined {
  if (typeof part !== 'object' || part === null) return undefined
  if (Array.isArray(part)) {
    for (const each of part) {
      const found = impossibleField(each, environment)
      if (found !== undefined) return found
    }
    return undefined
  }
  const { op, args } = part as Node
  if (op === 'call' && Array.isArray(args) && args[0] === 'has') {
    const found = inSelection((args[1] as Node[])[0]!, environment)
    if (found !== undefined) return found
  }
  return impossibleField(args, environment)
}

function inSelection(node: Node, environment: Environment): ImpossibleField | undefined {
  const selections: Node[] = []
  let current = node
  while (current.op === '.') {
    selections.unshift(current)
    current = (current.args as [Node, string])[0]
  }
  let type = current.checkedType?.name
  for (const selection of selections) {
    const fields = type === undefined ? undefined : fieldsOfType(environment, type)
    if (fields === undefined) return undefined
    const name = (selection.args as [Node, string])[1]
    type = fields[name]
    if (type === undefined) return { name, node: selection }
  }
  return undefined
}
