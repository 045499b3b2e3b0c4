import type { KubernetesObject } from '@hykube/machinery/object'
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
  const { stringify } = await import('yaml')
  return stringify(document, { lineWidth: 0 })
}
