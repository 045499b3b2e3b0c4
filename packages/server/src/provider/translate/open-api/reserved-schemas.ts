import type { OpenApiSchema } from '@hykube/machinery/resource-type'
import { lifecycleModes } from '@hykube/machinery/sync-api'
import { maxInstances } from '../check/reserved-fields.ts'
import type { KindMode } from '../kind-names.ts'

/** The meta-arguments of a spec, as a reference: a document of a large provider contains it thousands of times. */
export function reservedFields(mode: KindMode): OpenApiSchema {
  return { $ref: mode === 'managed' ? 'hk.Resource' : 'hk.DataSource' }
}

/** A shared definition by name. */
export function reservedDefinition(name: string): OpenApiSchema | undefined {
  return Object.hasOwn(definitions, name) ? definitions[name] : undefined
}

const anything: OpenApiSchema = { 'x-kubernetes-preserve-unknown-fields': true }
const text: OpenApiSchema = { type: 'string' }
const texts: OpenApiSchema = { type: 'array', items: text }

const dataProperties: Readonly<Record<string, OpenApiSchema>> = {
  count: {
    ...anything,
    description: `(number) The number of instances, up to ${maxInstances}. \${count.index} is the index of an instance. Can't be combined with for_each.`,
  },
  depends_on: {
    ...texts,
    'x-kubernetes-list-type': 'set',
    description:
      'Addresses of resources that must be applied first, such as aws_vpc.main. Not needed for resources that an expression refers to.',
  },
  for_each: {
    ...anything,
    description:
      "(map or set of strings) One instance for each element; ${each.key} and ${each.value} refer to it. Can't be combined with count.",
  },
  provider: {
    ...text,
    description: 'A ProviderConfig of the same namespace. Default: the config of the Provider.',
  },
}

const managedProperties: Readonly<Record<string, OpenApiSchema>> = {
  ...dataProperties,
  lifecycle: { $ref: 'hk.Lifecycle', description: 'Rules for replacing, destroying and ignoring changes.' },
}

const conditions: OpenApiSchema = {
  type: 'array',
  description: 'Ready, Applied, Drifted and Stalled.',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: { $ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.Condition' },
}

const definitions: Readonly<Record<string, OpenApiSchema>> = {
  'hk.Resource': {
    type: 'object',
    description: 'The desired attributes of the resource, with the names of its provider.',
    properties: managedProperties,
  },
  'hk.DataSource': {
    type: 'object',
    description: 'The arguments of the data source, with the names of its provider.',
    properties: dataProperties,
  },
  'hk.Status': {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    description: 'The observed state. `attributes` has all attributes returned by the provider, except sensitive ones.',
    properties: {
      conditions,
      instances: {
        $ref: 'hk.Instances',
        description: 'The number of instances, for objects with count or for_each.',
      },
      observedGeneration: {
        type: 'integer',
        format: 'int64',
        description: 'The generation that was last applied.',
      },
    },
  },
  'hk.Lifecycle': {
    type: 'object',
    description: 'Rules for replacing, destroying and ignoring changes of a resource.',
    properties: {
      create_before_destroy: {
        type: 'boolean',
        description: 'A replacement creates the new resource before it destroys the old one.',
      },
      destroy: {
        type: 'boolean',
        description: 'False: the real resource is removed from the state instead of destroyed. Default true.',
      },
      ignore_changes: {
        ...anything,
        items: text,
        description: '(set of strings, or "all") Attributes whose differences are ignored, such as tags["a"].',
      },
      prevent_destroy: {
        type: 'boolean',
        description: 'Refuses every plan and every DELETE request that would destroy the resource.',
      },
      replace_triggered_by: {
        ...texts,
        'x-kubernetes-list-type': 'set',
        description: 'Resources or attributes whose change replaces this resource, such as aws_vpc.main.id.',
      },
      sync: {
        ...text,
        enum: [...lifecycleModes],
        description: 'How far the server acts by itself. Manual, the default: not at all. Detect: drift is reported.',
      },
    },
  },
  'hk.Instances': {
    type: 'object',
    description: 'The number of instances, for objects with count or for_each.',
    properties: {
      ready: { type: 'integer', format: 'int64', description: 'The number of ready instances.' },
      total: { type: 'integer', format: 'int64', description: 'The desired number of instances.' },
    },
  },
}
