import type { JsonSchema } from '../schema/index.ts'
import { type SyncPolicySpec, type SyncPolicyStatus, syncModes, syncTriggers } from './sync-policy.ts'

const selector = (description: string): JsonSchema => ({
  type: 'object',
  description,
  properties: {
    matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
    matchExpressions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['key', 'operator'],
        properties: {
          key: { type: 'string' },
          operator: { type: 'string' },
          values: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
})
const limit = (description: string, minimum = 0): JsonSchema => ({ type: 'integer', minimum, description })
const time = (description: string): JsonSchema => ({ type: 'string', format: 'date-time', description })
const duration = (description: string, value: string): JsonSchema => ({ type: 'string', default: value, description })

const specProperties = {
  selector: selector('Restricts the policy to objects with these labels. Empty: every object of the namespace.'),
  kinds: {
    type: 'array',
    items: { type: 'string' },
    description: 'Restricts the policy to these types, such as aws_instance.',
  },
  mode: {
    type: 'string',
    enum: [...syncModes],
    description:
      'How far the server acts by itself. Manual: not at all. Detect: it reports drift. Propose: it creates a Plan that waits for approval. Reconcile: it also applies the Plan.',
  },
  serviceAccountName: {
    type: 'string',
    description: 'The ServiceAccount that plans and applies. Default: the user who last wrote the spec.',
  },
  on: {
    type: 'array',
    items: { type: 'string', enum: [...syncTriggers] },
    minItems: 1,
    default: [...syncTriggers],
    'x-kubernetes-list-type': 'set',
    description: 'The events that the policy reacts to.',
  },
  every: duration('How often real resources are read for drift; at least 1m.', '1h'),
  settle: duration('How long edits are collected before a Plan is created.', '30s'),
  windows: {
    type: 'array',
    maxItems: 50,
    description: 'Reconcile applies only inside these windows. Empty: at any time.',
    items: {
      type: 'object',
      required: ['cron', 'for'],
      properties: {
        cron: { type: 'string', description: 'Opens the window: minute, hour, day of month, month, day of week.' },
        for: { type: 'string', description: 'How long the window stays open, such as 3h.' },
        timezone: { type: 'string', default: 'UTC', description: 'The IANA time zone of cron, such as Europe/Berlin.' },
      },
    },
  },
  limits: {
    type: 'object',
    default: {},
    description: 'A Plan beyond changes, deletes or replaces is proposed instead of applied.',
    properties: {
      changes: { ...limit('The most changes of one Plan.'), default: 100 },
      deletes: { ...limit('The most deletions of one Plan.'), default: 0 },
      replaces: { ...limit('The most replacements of one Plan.'), default: 0 },
      perMinute: limit('The most changes that are started per minute.', 1),
    },
  },
  notify: {
    type: 'object',
    required: ['secretRef'],
    description: 'Where events of this policy are posted: a Secret with the keys url and signingKey.',
    properties: {
      secretRef: { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 1 } } },
    },
  },
  suspend: { type: 'boolean', default: false, description: 'Stops the policy until it is false again.' },
} satisfies Record<Exclude<keyof SyncPolicySpec, 'namespaceSelector'>, JsonSchema>

const namespaceSelector = selector('Restricts the policy to namespaces with these labels. Empty: every namespace.')

/** The schema of `spec` of a SyncPolicy, or of a ClusterSyncPolicy. */
export function syncSpecSchema(scope: 'Namespaced' | 'Cluster'): JsonSchema {
  return {
    type: 'object',
    description: 'Which objects the policy covers, and how far the server acts by itself.',
    required: ['mode'],
    properties: scope === 'Cluster' ? { namespaceSelector, ...specProperties } : specProperties,
  }
}

/** The schema of `status` of both kinds. */
export const syncStatusSchema: JsonSchema = {
  type: 'object',
  description: 'How the policy stands. Only the server writes it.',
  properties: {
    observedGeneration: { type: 'integer', description: 'The generation of the spec that the server acts on.' },
    resources: limit('How many objects the policy holds for.'),
    drifted: limit('How many of them differ from what was applied.'),
    lastCheck: time('When the last check for drift ended.'),
    nextCheck: time('When the next check for drift begins.'),
    lastHandledRequest: {
      type: 'string',
      description: 'The value of the annotation hykube.io/check-requested-at that the last check answered.',
    },
    plan: { type: 'string', description: 'The newest Plan of the policy.' },
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: {
        type: 'object',
        required: ['type', 'status'],
        properties: {
          type: { type: 'string' },
          status: { type: 'string' },
          reason: { type: 'string' },
          message: { type: 'string' },
          lastTransitionTime: time('When the status last changed.'),
          observedGeneration: { type: 'integer' },
        },
      },
    },
  } satisfies Record<keyof SyncPolicyStatus, JsonSchema>,
}
