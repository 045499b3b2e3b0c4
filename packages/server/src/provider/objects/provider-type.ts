import type { JsonValue } from '@hykube/machinery/json'
import { type Condition, dnsLabelName, type KubernetesObject, withFinalizer } from '@hykube/machinery/object'
import { type ResourceType, schemaResourceType } from '@hykube/machinery/resource-type'
import type { JsonSchema } from '@hykube/machinery/schema'
import { conditionSchema } from '../translate/check/status-check.ts'
import type { TemplateSyntax } from '../translate/check/template-syntax.ts'
import { conditionCell, objectColumns } from './columns.ts'
import { configProblems } from './config-check.ts'
import { keepFinalizer } from './keep-finalizer.ts'
import { type ProviderSource, runsScripts, sourceProblems } from './provider-source.ts'

/** A stored Provider. */
export interface ProviderObject extends KubernetesObject {
  readonly spec?: ProviderSource & { readonly config?: JsonValue; readonly access?: ProviderAccessMode }
  readonly status?: {
    /** The installed package. */
    readonly lock?: { readonly source: string; readonly version: string; readonly hashes: readonly string[] }
    /** The number of its kinds. */
    readonly types?: number
    readonly conditions?: readonly Condition[]
  }
}

/** Restricted: the verb `use` on the Provider is required to write objects of its kinds and to create plans that call it. */
export type ProviderAccessMode = 'Restricted' | 'Open'

/** The effective access of a Provider. Default: Restricted for providers that run commands, Open for others. */
export function accessOf({ spec = {} }: ProviderObject): ProviderAccessMode {
  return spec.access ?? (runsScripts(spec) ? 'Restricted' : 'Open')
}

/** The finalizer that keeps a deleted Provider until no object of its kinds is left. Only the server adds and removes it. */
export const kindsFinalizer = 'hykube.io/kinds'

/** The kind `Provider`: an installed provider and its default configuration. */
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
      prepareForUpdate: (object, old) => keepFinalizer(usual.prepareForUpdate(object, old), old, kindsFinalizer),
      prepareForDelete: (object) => ({
        ...object,
        metadata: { ...object.metadata, finalizers: [...withFinalizer(object.metadata?.finalizers, kindsFinalizer)] },
      }),
    }),
  })
}

/** Validates the name of a Provider, which becomes part of the API group of its kinds. */
export function providerNameProblems(name: string, prefix: boolean): readonly string[] {
  if (name === 'data' && !prefix) return ["may not be 'data', which is reserved for the groups of data sources"]
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
          description: 'The source address: [host/]namespace/type, such as hashicorp/aws or local/NAME.',
        },
        version: {
          type: 'string',
          description:
            'The version constraint, such as "~> 5.62". Default: the newest version. status.lock has the chosen version.',
        },
        downloadUrl: { type: 'string', description: 'The URL of the package, instead of source.' },
        downloadName: { type: 'string', description: 'The name of the executable in the package at downloadUrl.' },
        access: {
          type: 'string',
          enum: ['Restricted', 'Open'],
          description:
            'Restricted: the verb use on this Provider is required to write objects of its kinds, its ProviderConfigs, and plans that call it. Default: Restricted for hykube/script, otherwise Open.',
        },
        config: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          description:
            'The default configuration of its resources. May contain expressions, such as ${secret["namespace/name"].key}.',
        },
      },
    },
    status: {
      type: 'object',
      properties: {
        lock: {
          type: 'object',
          description: 'The installed package.',
          required: ['source', 'version', 'hashes'],
          properties: {
            source: { type: 'string' },
            version: { type: 'string' },
            hashes: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
          },
        },
        types: { type: 'integer', description: 'The number of kinds.' },
        conditions: {
          type: 'array',
          description: 'Installed and Ready; Terminating after deletion.',
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
    description: 'The source address or URL.',
    cell: (object) => {
      const { spec = {} } = object as ProviderObject
      return spec.source ?? spec.downloadUrl ?? ''
    },
  },
  {
    name: 'Version',
    description: 'The installed version, or the version constraint.',
    cell: (object) => {
      const { spec, status } = object as ProviderObject
      return status?.lock?.version ?? spec?.version ?? ''
    },
  },
  { name: 'Installed', description: 'Status of the condition Installed.', cell: conditionCell('Installed') },
  { name: 'Ready', description: 'Status of the condition Ready: its kinds are served.', cell: conditionCell('Ready') },
  {
    name: 'Access',
    description: 'Restricted: using it requires the verb use.',
    cell: (object) => accessOf(object as ProviderObject),
  },
])
