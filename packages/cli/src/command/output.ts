import type { KubernetesObject } from '@hykube/machinery/object'
import { isUnprintable } from '../render/index.ts'
import type { Terminal } from './terminal.ts'

/** The formats that any object can be printed in. */
export type ObjectFormat = 'json' | 'yaml' | 'name'

/** Prints an object as kubectl does; `resource` is what a name is written with. */
export async function printObject(
  terminal: Terminal,
  object: KubernetesObject,
  format: ObjectFormat,
  resource: string,
): Promise<void> {
  if (format === 'name') terminal.out(`${resource}/${object.metadata?.name ?? ''}\n`)
  else terminal.out(await documentText(object, format))
}

/** A document as text. */
export async function documentText(document: unknown, format: 'json' | 'yaml'): Promise<string> {
  if (format === 'json') return `${JSON.stringify(document, undefined, 2)}\n`
  const { Document, visit } = await import('yaml')
  const yaml = new Document(document)
  // Only between double quotes an escape means the character.
  visit(yaml, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && isUnprintable(node.value)) node.type = 'QUOTE_DOUBLE'
    },
  })
  return yaml.toString({ lineWidth: 0 })
}
