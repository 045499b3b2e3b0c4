import { type JsonValue, jsonEquals } from '@hykube/machinery/json'
import type { DefinitionVersion } from '../definition.ts'
import type { PartPlaces } from './version-validation.ts'

/** The parts that versions of a definition can have each for itself. */
type Part = 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'

const parts: readonly Part[] = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields']

/** The parts that are the same in all versions. Kubernetes holds them in the spec itself, and tells their problems there. */
export function sharedParts(versions: readonly DefinitionVersion[]): ReadonlySet<Part> {
  const [first] = versions
  return new Set(parts.filter((part) => versions.every((version) => isSame(version[part], first?.[part]))))
}

/** Where the problems of one version's own parts are told. */
export function ownPlaces(path: string, shared: ReadonlySet<Part>): PartPlaces {
  return {
    deprecation: `${path}.deprecationWarning`,
    ...(!shared.has('schema') && { schema: `${path}.schema.openAPIV3Schema` }),
    ...(!shared.has('subresources') && { subresources: `${path}.subresources` }),
    ...(!shared.has('additionalPrinterColumns') && { columns: `${path}.additionalPrinterColumns` }),
    ...(!shared.has('selectableFields') && { selectable: `${path}.selectableFields` }),
  }
}

/** Where the problems of the parts are told that all versions share. */
export function sharedPlaces(shared: ReadonlySet<Part>): PartPlaces {
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
