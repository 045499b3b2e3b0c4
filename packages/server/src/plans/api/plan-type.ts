import { type JsonValue, jsonEquals } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { planSpecSchema, planStatusSchema } from '@hykube/machinery/plan-api'
import type { ResourceType, Subresource } from '@hykube/machinery/resource-type'
import type { StatusCause } from '@hykube/machinery/status'
import { customResourceTypes, type Definition } from '../../crd/index.ts'
import { planSpecProblems } from './plan-spec.ts'

/** The resource of Plans. */
export const planResource = { group: 'hykube.io', resource: 'plans' } as const

/** The kind Plan. Its spec is immutable, and only the server writes its status. */
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
  const message = 'Forbidden: the spec of a plan is immutable: create another plan'
  return [{ reason: 'FieldValueForbidden', field: 'spec', message }]
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
            description: 'The changes that make real resources match their objects; applied after approval.',
            properties: {
              spec: planSpecSchema,
              status: planStatusSchema,
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
