import { type JsonValue, jsonEquals } from '@hykube/machinery/json'
import type { DefinitionVersion } from '../definition.ts'
import type { PartPaths } from './version-validation.ts'

/** Parts that each version of a definition can define separately. */
type Part = 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'

const parts: readonly Part[] = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields']

/**
 * Returns the parts that are equal in all versions. Kubernetes moves them to the spec internally, so their errors have
 * paths there.
 */
export function sharedParts(versions: readonly DefinitionVersion[]): ReadonlySet<Part> {
  const [first] = versions
  return new Set(parts.filter((part) => versions.every((version) => isSame(version[part], first?.[part]))))
}

/** Field paths for the errors of a version's own parts. */
export function ownPaths(path: string, shared: ReadonlySet<Part>): PartPaths {
  return {
    deprecation: `${path}.deprecationWarning`,
    ...(!shared.has('schema') && { schema: `${path}.schema.openAPIV3Schema` }),
    ...(!shared.has('subresources') && { subresources: `${path}.subresources` }),
    ...(!shared.has('additionalPrinterColumns') && { columns: `${path}.additionalPrinterColumns` }),
    ...(!shared.has('selectableFields') && { selectable: `${path}.selectableFields` }),
  }
}

/** Field paths for the errors of parts that all versions share. */
export function sharedPaths(shared: ReadonlySet<Part>): PartPaths {
  return {
    ...(shared.has('schema') && { schema: 'spec.validation.openAPIV3Schema' }),
    ...(shared.has('subresources') && { subresources: 'spec.subresources' }),
    ...(shared.has('additionalPrinterColumns') && { columns: 'spec.additionalPrinterColumns' }),
    ...(shared.has('selectableFields') && { selectable: 'spec.selectableFields' }),
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return jsonEquals((a ?? null) as JsonValue, (b ?? null) as JsonValue)
}
