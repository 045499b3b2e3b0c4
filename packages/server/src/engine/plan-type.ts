import { type JsonValue, jsonEquals } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType, Subresource } from '@hykube/machinery/resource-type'
import type { JsonSchema } from '@hykube/machinery/schema'
import type { StatusCause } from '@hykube/machinery/status'
import { customResourceTypes, type Definition } from '../crd/index.ts'
import { planSpecProblems } from './plan-spec.ts'

/** Where Plans are kept. */
export const planPlace = { group: 'hykube.io', resource: 'plans' } as const

/** The kind Plan: what is wanted of a plan can't be changed once it is there, and only the server writes how it stands. */
export function planType(): ResourceType {
  const [type] = customResourceTypes(definition)
  return {
    ...type!,
    subresources,
    validate: (object, old) => [...type!.validate(object, old), ...unchanged(object, old), ...planSpecProblems(object)],
    strategy: {
      ...type!.strategy,
      allowedInTerminatingNamespace: true,
      prepareForCreate: (object) => ({ ...type!.strategy.prepareForCreate(object), status: { phase: 'Pending' } }),
      prepareForUpdate: (object, old) => ({
        ...type!.strategy.prepareForUpdate(object, old),
        ...(old.status !== undefined && { status: old.status }),
      }),
    },
  }
}

const subresources: ReadonlyMap<string, Subresource> = new Map(
  (
    [
      { name: 'status', verbs: ['get'] },
      { name: 'changes', verbs: ['get'] },
      { name: 'json', verbs: ['get'] },
      { name: 'approval', verbs: ['get', 'update'] },
      { name: 'cancel', verbs: ['update'] },
    ] satisfies Subresource[]
  ).map((each) => [each.name, each]),
)

function unchanged(object: KubernetesObject, old: KubernetesObject | undefined): StatusCause[] {
  if (old === undefined || jsonEquals((object.spec ?? {}) as JsonValue, (old.spec ?? {}) as JsonValue)) return []
  const message = 'Forbidden: a plan can not be changed: create another one'
  return [{ reason: 'FieldValueForbidden', field: 'spec', message }]
}

const texts: JsonSchema = { type: 'array', items: { type: 'string' } }

const specSchema: JsonSchema = {
  type: 'object',
  description: 'What the plan shall cover and do. It can not be changed.',
  properties: {
    mode: {
      type: 'string',
      enum: ['Normal', 'Destroy', 'RefreshOnly'],
      default: 'Normal',
      description:
        'Normal brings everything to what is written; Destroy removes what is outside and leaves the objects; RefreshOnly accepts what has changed outside.',
    },
    refresh: {
      type: 'string',
      enum: ['None', 'Changed', 'All'],
      default: 'Changed',
      description: 'What is read anew from the outside world before planning: nothing, what may change, or everything.',
    },
    scope: {
      type: 'string',
      enum: ['Changed', 'All'],
      default: 'Changed',
      description: 'All ignores what is known to be settled, and plans everything in the selection.',
    },
    selector: {
      type: 'object',
      description: 'Which objects may change, by their labels.',
      properties: {
        matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
        matchExpressions: {
          type: 'array',
          items: {
            type: 'object',
            required: ['key', 'operator'],
            properties: { key: { type: 'string' }, operator: { type: 'string' }, values: texts },
          },
        },
      },
    },
    kinds: { ...texts, description: 'Which kinds or types may change, as SimNetwork or sim_network.' },
    targets: {
      ...texts,
      description:
        'Addresses that may change, with all they refer to; in mode Destroy, with all that was made from them.',
    },
    excludes: { ...texts, description: 'Addresses that stay as they are.' },
    replace: { ...texts, description: 'Addresses of which a new object is made in any case.' },
    allNamespaces: { type: 'boolean', description: 'Covers every namespace, for those who may do so.' },
    approval: {
      type: 'string',
      enum: ['Manual', 'Automatic'],
      default: 'Manual',
      description: 'Automatic applies the plan as soon as it is made, for those who may approve it.',
    },
    parallelism: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 50,
      description:
        'How many changes are carried out at a time. From 50 on, those of types that a provider takes many of in one call count a quarter.',
    },
    expiresAfter: {
      type: 'string',
      default: '24h',
      description: 'How long it may wait for its approval, as 30m or 24h.',
    },
  },
}

const definition: Definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'plans.hykube.io', uid: 'plans.hykube.io', generation: 1 },
  spec: {
    group: 'hykube.io',
    scope: 'Namespaced',
    names: {
      plural: 'plans',
      singular: 'plan',
      kind: 'Plan',
      listKind: 'PlanList',
      categories: ['hykube'],
    },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'What would be created, updated, replaced and deleted, and why; applied once it is approved.',
            properties: {
              spec: specSchema,
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
          { name: 'Create', type: 'integer', jsonPath: '.status.summary.create' },
          { name: 'Update', type: 'integer', jsonPath: '.status.summary.update' },
          { name: 'Replace', type: 'integer', jsonPath: '.status.summary.replace' },
          { name: 'Delete', type: 'integer', jsonPath: '.status.summary.delete' },
          { name: 'Blocked', type: 'integer', jsonPath: '.status.summary.blocked' },
          { name: 'By', type: 'string', jsonPath: '.status.approval.by', priority: 1 },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
      },
    ],
  },
}
