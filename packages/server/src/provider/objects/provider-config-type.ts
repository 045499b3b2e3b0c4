import type { JsonValue } from '@hykube/machinery/json'
import { invalidValue, type KubernetesObject } from '@hykube/machinery/object'
import { type ResourceType, schemaResourceType } from '@hykube/machinery/resource-type'
import type { JsonSchema } from '@hykube/machinery/schema'
import type { TemplateSyntax } from '../translate/check/template-syntax.ts'
import { objectColumns } from './columns.ts'
import { configProblems } from './config-check.ts'
import { providerNameProblems } from './provider-type.ts'

/** A stored ProviderConfig. */
export interface ProviderConfigObject extends KubernetesObject {
  readonly spec?: { readonly provider?: string; readonly config?: JsonValue }
}

/** The kind `ProviderConfig`: an alternative configuration of a provider, used by objects of its namespace that name it. */
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
  description:
    'A configuration of a provider (an account, a region), which objects of the same namespace name in spec.provider.',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['provider'],
      properties: {
        provider: { type: 'string', description: 'The name of the Provider.' },
        config: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          description: 'The provider\'s configuration. May contain expressions, such as ${secret["name"].key}.',
        },
      },
    },
  },
}

const columns = objectColumns([
  {
    name: 'Provider',
    description: 'The name of the Provider.',
    cell: (object) => (object as ProviderConfigObject).spec?.provider ?? '',
  },
])
