import type { JsonValue } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { type JsonSchema, schemaValidator } from '@hykube/machinery/schema'
import type { StatusCause } from '@hykube/machinery/status'

/** Validates the status of an object, unless it is unchanged. */
export function checkStatus(object: KubernetesObject, old: KubernetesObject | undefined): readonly StatusCause[] {
  const { status } = object as { readonly status?: JsonValue }
  if (status === undefined || status === (old as typeof object | undefined)?.status) return []
  return validator.validate({ status })
}

/** The schema of a condition. */
export const conditionSchema: JsonSchema = {
  type: 'object',
  required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
  properties: {
    type: { type: 'string', description: 'The type of the condition, in CamelCase.' },
    status: { type: 'string', enum: ['True', 'False', 'Unknown'], description: 'The status of the condition.' },
    observedGeneration: { type: 'integer', description: 'The generation that the condition was set for.' },
    lastTransitionTime: {
      type: 'string',
      format: 'date-time',
      description: 'The time of the last change of the status.',
    },
    reason: { type: 'string', description: 'The reason of the last transition, as one word in CamelCase.' },
    message: { type: 'string', description: 'Details of the last transition in plain language.' },
  },
}

const validator = schemaValidator({
  type: 'object',
  properties: {
    status: {
      type: 'object',
      properties: {
        observedGeneration: { type: 'integer', minimum: 0 },
        conditions: {
          type: 'array',
          items: conditionSchema,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
        },
        attributes: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        instances: {
          type: 'object',
          properties: { total: { type: 'integer', minimum: 0 }, ready: { type: 'integer', minimum: 0 } },
        },
      },
    },
  },
})
