import type { Inputs } from '../../evaluation/index.ts'
import type { ResourceObject } from '../../model/index.ts'

/**
 * Hashes every input of an object's instances except the index. While it stays the same, settled instances stay settled. Undefined when an
 * input is unknown, or when there are so many inputs that comparing them costs more than visiting the instances.
 */
export function templateOf(
  { uid, spec, importId, importIdentity }: ResourceObject,
  inputs: Inputs,
  refersTo: readonly string[],
  { package: hash, epoch, configuration }: ProviderVersion,
  hashText: (text: string) => string,
): string | undefined {
  const values = inputs.text(mostValues)
  if (values === undefined) return undefined
  const { count: _, ...template } = spec
  return hashText(
    JSON.stringify([uid, template, importId, importIdentity, values, refersTo, hash, epoch, configuration]),
  )
}

const mostValues = 1000

/** The facts about a configured provider that the result of planning depends on. */
interface ProviderVersion {
  readonly package: string
  readonly epoch: string
  readonly configuration: string
}
