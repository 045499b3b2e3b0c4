import type { OpenApi, ResourceType } from '@hykube/machinery/resource-type'
import { builtInResourceTypes } from '../../../kinds/index.ts'

/** A built-in type. */
export function builtIn(kind: string): ResourceType {
  return builtInResourceTypes().find(({ names }) => names.kind === kind)!
}

/** A type as a custom resource definition makes it: no strategic merge, no protobuf, a schema of its own. */
export function fooType(openApi?: OpenApi, changes: Partial<ResourceType> = {}): ResourceType {
  const { protobuf: _, openApi: __, ...base } = builtIn('ConfigMap')
  return {
    ...base,
    group: 'stable.example.com',
    version: 'v1',
    names: { plural: 'foos', singular: 'foo', kind: 'Foo', listKind: 'FooList', shortNames: [], categories: [] },
    strategicMerge: false,
    ...(openApi !== undefined && { openApi }),
    ...changes,
  }
}
