import type { JsonValue } from '@hykube/machinery/json'
import { invalidValue, type KubernetesObject } from '@hykube/machinery/object'
import { type ResourceType, schemaResourceType } from '@hykube/machinery/resource-type'
import type { JsonSchema } from '@hykube/machinery/schema'
import type { TemplateSyntax } from '../translate/template-syntax.ts'
import { objectColumns } from './columns.ts'
import { configProblems } from './config-check.ts'
import { providerNameProblems } from './provider-type.ts'

/** A ProviderConfig as it is stored. */
export interface ProviderConfigObject extends KubernetesObject {
  readonly spec?: { readonly provider?: string; readonly config?: JsonValue }
}

/** The kind `ProviderConfig`: a further configuration of a provider, for resources of its namespace that name it. */
export function providerConfigType(templates: TemplateSyntax): ResourceType {
  return schemaResourceType({
    group: 'hykube.io',
    version: 'v1alpha1',
    names: {
      plural: 'providerconfigs',
      singular: 'providerconfig',
      kind: 'ProviderConfig',
      listKind: 'ProviderConfigList',
      shortNames: [],
      categories: ['hykube'],
    },
    namespaced: true,
    schema,
    schemaVersion: '1',
    columns,
    hasStatus: false,
    validate: (object) => {
      const { provider = '', config } = (object as ProviderConfigObject).spec ?? {}
      const problems = providerNameProblems(provider, false)
      return [
        ...problems.map((problem) => invalidValue('spec.provider', provider, problem)),
        ...configProblems(config, templates),
      ]
    },
  })
}

const schema: JsonSchema = {
  type: 'object',
  description: 'A configuration of a provider (an account, a region) that resources of its namespace use by its name.',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['provider'],
      properties: {
        provider: { type: 'string', description: 'The Provider that is configured.' },
        config: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          description: 'Its configuration. May hold expressions, as ${secret["name"].key}.',
        },
      },
    },
  },
}

const columns = objectColumns([
  {
    name: 'Provider',
    description: 'The Provider that is configured.',
    cell: (object) => (object as ProviderConfigObject).spec?.provider ?? '',
  },
])
