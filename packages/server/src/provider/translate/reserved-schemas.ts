import type { OpenApiSchema } from '@hykube/machinery/resource-type'
import type { KindMode } from './kind-names.ts'
import { mostInstances } from './reserved-fields.ts'

/** The schemas of what a spec has besides attributes. Large groups have these on every kind, so most are references. */
export function reservedProperties(mode: KindMode): Readonly<Record<string, OpenApiSchema>> {
  return mode === 'managed' ? managedProperties : dataProperties
}

/** A definition that these refer to. */
export function reservedDefinition(name: string): OpenApiSchema | undefined {
  return Object.hasOwn(definitions, name) ? definitions[name] : undefined
}

const anything: OpenApiSchema = { 'x-kubernetes-preserve-unknown-fields': true }
const text: OpenApiSchema = { type: 'string' }
const texts: OpenApiSchema = { type: 'array', items: text }

const dataProperties: Readonly<Record<string, OpenApiSchema>> = {
  count: { $ref: 'hk.Count' },
  depends_on: { $ref: 'hk.DependsOn' },
  for_each: { $ref: 'hk.ForEach' },
  provider: text,
}

const managedProperties: Readonly<Record<string, OpenApiSchema>> = {
  ...dataProperties,
  lifecycle: { $ref: 'hk.Lifecycle' },
}

const definitions: Readonly<Record<string, OpenApiSchema>> = {
  'hk.Status': {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    description:
      'What is there. `attributes` is what the provider returned without what is sensitive: those of spec, and those it decides.',
    properties: {
      conditions: { $ref: 'hk.Conditions' },
      instances: { $ref: 'hk.Instances' },
      observedGeneration: {
        type: 'integer',
        format: 'int64',
        description: 'The generation that was last applied.',
      },
    },
  },
  'hk.Count': {
    ...anything,
    description: `(number) How many instances this object stands for, up to ${mostInstances}. Each has its number as \${count.index}. Not together with for_each.`,
  },
  'hk.ForEach': {
    ...anything,
    description:
      '(map or set of strings) One instance for each key, as ${each.key} and ${each.value}. Not together with count.',
  },
  'hk.DependsOn': {
    ...texts,
    'x-kubernetes-list-type': 'set',
    description:
      'Addresses of what must be there first, as aws_vpc.main, where no expression says so: a reference is a dependency by itself.',
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
  'hk.Conditions': {
    type: 'array',
    description: 'Ready, Applied, Drifted and Stalled.',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
    items: { $ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.Condition' },
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
