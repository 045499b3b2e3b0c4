import type { JsonValue } from '@hykube/machinery/json'
import { type Condition, dnsLabelName, type KubernetesObject, withFinalizer } from '@hykube/machinery/object'
import { type ResourceType, schemaResourceType } from '@hykube/machinery/resource-type'
import type { JsonSchema } from '@hykube/machinery/schema'
import { conditionSchema } from '../translate/status-check.ts'
import type { TemplateSyntax } from '../translate/template-syntax.ts'
import { conditionCell, objectColumns } from './columns.ts'
import { configProblems } from './config-check.ts'
import { keepFinalizer } from './keep-finalizer.ts'
import { type ProviderSource, runsScripts, sourceProblems } from './provider-source.ts'

/** A Provider as it is stored. */
export interface ProviderObject extends KubernetesObject {
  readonly spec?: ProviderSource & { readonly config?: JsonValue; readonly access?: ProviderAccessMode }
  readonly status?: {
    /** What is installed. */
    readonly lock?: { readonly source: string; readonly version: string; readonly hashes: readonly string[] }
    /** How many kinds it has. */
    readonly types?: number
    readonly conditions?: readonly Condition[]
  }
}

/** Restricted: only users with the verb `use` on the Provider write objects of its kinds and have plans call it. */
export type ProviderAccessMode = 'Restricted' | 'Open'

/** The access of a Provider: what it says, else Restricted for providers that run commands and Open for others. */
export function accessOf({ spec = {} }: ProviderObject): ProviderAccessMode {
  return spec.access ?? (runsScripts(spec) ? 'Restricted' : 'Open')
}

/** Holds a Provider that was deleted until nothing of its kinds is left: put on and taken off by the server alone. */
export const leavingFinalizer = 'hykube.io/kinds'

/** The kind `Provider`: a provider that is installed, and the configuration it has by default. */
export function providerType(templates: TemplateSyntax): ResourceType {
  return schemaResourceType({
    group: 'hykube.io',
    version: 'v1alpha1',
    names: {
      plural: 'providers',
      singular: 'provider',
      kind: 'Provider',
      listKind: 'ProviderList',
      shortNames: [],
      categories: ['hykube'],
    },
    namespaced: false,
    schema,
    schemaVersion: '1',
    columns,
    validate: (object) => {
      const { spec = {} } = object as ProviderObject
      return [...sourceProblems(spec), ...configProblems(spec.config, templates)]
    },
    strategy: (usual) => ({
      validateName: (name, prefix) => providerNameProblems(name, prefix),
      prepareForCreate: (object) => withInitialStatus(usual.prepareForCreate(object)),
      prepareForUpdate: (object, old) => keepFinalizer(usual.prepareForUpdate(object, old), old, leavingFinalizer),
      prepareForDelete: (object) => ({
        ...object,
        metadata: { ...object.metadata, finalizers: [...withFinalizer(object.metadata?.finalizers, leavingFinalizer)] },
      }),
    }),
  })
}

/** What is wrong with the name of a Provider, which is a part of its kinds' group. */
export function providerNameProblems(name: string, prefix: boolean): readonly string[] {
  if (name === 'data' && !prefix) return ["may not be 'data', which is in the group of every provider's data sources"]
  return dnsLabelName(name, prefix ? 'prefix' : undefined)
}

function withInitialStatus(object: KubernetesObject): KubernetesObject {
  const lastTransitionTime = object.metadata?.creationTimestamp ?? ''
  const waiting = { status: 'False', lastTransitionTime, reason: 'Pending' } as const
  const conditions: readonly Condition[] = [
    { ...waiting, type: 'Installed', message: 'the provider is not installed yet' },
    { ...waiting, type: 'Ready', message: 'the kinds of the provider are not served yet' },
  ]
  return { ...object, status: { conditions } }
}

const schema: JsonSchema = {
  type: 'object',
  description: 'A Terraform or OpenTofu provider whose types are served as kinds of <name>.hykube.io.',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      properties: {
        source: {
          type: 'string',
          description: 'Where it comes from: [host/]namespace/type, as hashicorp/aws or local/NAME.',
        },
        version: {
          type: 'string',
          description:
            'Which versions will do, as "~> 5.62". Default: the newest one. What was chosen is in status.lock.',
        },
        downloadUrl: { type: 'string', description: 'Where its package is, instead of source.' },
        downloadName: { type: 'string', description: 'What its executable is called in the package at downloadUrl.' },
        access: {
          type: 'string',
          enum: ['Restricted', 'Open'],
          description:
            'Restricted: the verb use on this Provider is needed to write objects of its kinds, ProviderConfigs for it, and plans that call it. Default: Restricted for hykube/script, else Open.',
        },
        config: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          description:
            'The configuration that resources have by default. May hold expressions, as ${secret["namespace/name"].key}.',
        },
      },
    },
    status: {
      type: 'object',
      properties: {
        lock: {
          type: 'object',
          description: 'What is installed.',
          required: ['source', 'version', 'hashes'],
          properties: {
            source: { type: 'string' },
            version: { type: 'string' },
            hashes: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
          },
        },
        types: { type: 'integer', description: 'How many kinds it has.' },
        conditions: {
          type: 'array',
          description: 'Installed and Ready, and Terminating when it was deleted.',
          items: conditionSchema,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
        },
      },
    },
  },
}

const columns = objectColumns([
  {
    name: 'Source',
    description: 'Where it comes from.',
    cell: (object) => {
      const { spec = {} } = object as ProviderObject
      return spec.source ?? spec.downloadUrl ?? ''
    },
  },
  {
    name: 'Version',
    description: 'Which version is installed, or may be.',
    cell: (object) => {
      const { spec, status } = object as ProviderObject
      return status?.lock?.version ?? spec?.version ?? ''
    },
  },
  { name: 'Installed', description: 'Whether its package is here.', cell: conditionCell('Installed') },
  { name: 'Ready', description: 'Whether its kinds are served.', cell: conditionCell('Ready') },
  {
    name: 'Access',
    description: 'Whether using it needs the verb use.',
    cell: (object) => accessOf(object as ProviderObject),
  },
])
