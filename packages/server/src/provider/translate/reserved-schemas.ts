import type { OpenApiSchema } from '@hykube/machinery/resource-type'
import type { KindMode } from './kind-names.ts'
import { mostInstances } from './reserved-fields.ts'

/** What a spec has besides attributes: a reference, since large groups have it on every kind. */
export function reservedFields(mode: KindMode): OpenApiSchema {
  return { $ref: mode === 'managed' ? 'hk.Resource' : 'hk.DataSource' }
}

/** A definition that these refer to. */
export function reservedDefinition(name: string): OpenApiSchema | undefined {
  return Object.hasOwn(definitions, name) ? definitions[name] : undefined
}

const anything: OpenApiSchema = { 'x-kubernetes-preserve-unknown-fields': true }
const text: OpenApiSchema = { type: 'string' }
const texts: OpenApiSchema = { type: 'array', items: text }

const dataProperties: Readonly<Record<string, OpenApiSchema>> = {
  count: {
    ...anything,
    description: `(number) How many instances this object stands for, up to ${mostInstances}. Each has its number as \${count.index}. Not together with for_each.`,
  },
  depends_on: {
    ...texts,
    'x-kubernetes-list-type': 'set',
    description:
      'Addresses of what must be there first, as aws_vpc.main, where no expression says so: a reference is a dependency by itself.',
  },
  for_each: {
    ...anything,
    description:
      '(map or set of strings) One instance for each key, as ${each.key} and ${each.value}. Not together with count.',
  },
  provider: {
    ...text,
    description: 'A ProviderConfig of the same namespace. Default: the configuration of the Provider itself.',
  },
}

const managedProperties: Readonly<Record<string, OpenApiSchema>> = {
  ...dataProperties,
  lifecycle: { $ref: 'hk.Lifecycle', description: 'How the resource is managed: replaced, kept, left alone.' },
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
    description: 'What is wanted: the attributes of the type, by the names that its provider gives them.',
    properties: managedProperties,
  },
  'hk.DataSource': {
    type: 'object',
    description: 'What is asked for: the attributes of the data source, by the names that its provider gives them.',
    properties: dataProperties,
  },
  'hk.Status': {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    description:
      'What is there. `attributes` is what the provider returned without what is sensitive: those of spec, and those it decides.',
    properties: {
      conditions,
      instances: {
        $ref: 'hk.Instances',
        description: 'How many instances there are, for objects with count or for_each.',
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
    description: 'How the resource is managed.',
    properties: {
      create_before_destroy: {
        type: 'boolean',
        description: 'When it is replaced, the new one is created before the old one is destroyed.',
      },
      destroy: { type: 'boolean', description: 'False: it is forgotten instead of destroyed. Default true.' },
      ignore_changes: {
        ...anything,
        items: text,
        description: '(set of strings, or "all") Attributes whose differences are left alone, as tags["a"].',
      },
      prevent_destroy: { type: 'boolean', description: 'Refuses every plan and every DELETE that would destroy it.' },
      replace_triggered_by: {
        ...texts,
        'x-kubernetes-list-type': 'set',
        description: 'Resources or attributes whose change replaces this one, as aws_vpc.main.id.',
      },
      sync: {
        ...text,
        enum: ['Manual'],
        description: 'What happens by itself. Manual: nothing, which is the default.',
      },
    },
  },
  'hk.Instances': {
    type: 'object',
    description: 'How many instances there are, for objects with count or for_each.',
    properties: {
      ready: { type: 'integer', format: 'int64', description: 'How many of them are ready.' },
      total: { type: 'integer', format: 'int64', description: 'How many there are to be.' },
    },
  },
}
