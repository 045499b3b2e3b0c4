import type { JsonValue } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { type JsonSchema, schemaValidator } from '@hykube/machinery/schema'
import type { StatusCause } from '@hykube/machinery/status'

/** What is wrong with the status of an object; nothing when it is what it was. */
export function checkStatus(object: KubernetesObject, old: KubernetesObject | undefined): readonly StatusCause[] {
  const { status } = object as { readonly status?: JsonValue }
  if (status === undefined || status === (old as typeof object | undefined)?.status) return []
  return validator.validate({ status })
}

/** A condition, as the schemas of kinds have it. */
export const conditionSchema: JsonSchema = {
  type: 'object',
  required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
  properties: {
    type: { type: 'string', description: 'What it is about.' },
    status: { type: 'string', enum: ['True', 'False', 'Unknown'], description: 'Whether it holds.' },
    observedGeneration: { type: 'integer', description: 'The generation that it was said of.' },
    lastTransitionTime: { type: 'string', format: 'date-time', description: 'When the status last changed.' },
    reason: { type: 'string', description: 'Why, for machines.' },
    message: { type: 'string', description: 'Why, for people.' },
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
