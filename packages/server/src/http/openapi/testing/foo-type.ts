import type { OpenApi, ResourceType } from '@hykube/machinery/resource-type'
import { builtInResourceTypes } from '../../../kinds/index.ts'

/** Returns a built-in type. */
export function builtIn(kind: string): ResourceType {
  return builtInResourceTypes().find(({ names }) => names.kind === kind)!
}

/** Returns a type like that of a custom resource definition: no strategic merge, no protobuf, its own schema. */
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
