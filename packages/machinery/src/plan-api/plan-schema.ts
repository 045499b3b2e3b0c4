import type { JsonSchema } from '../schema/index.ts'
import { type PlanSpec, type PlanStatus, planPhases } from './plan.ts'
import { planActions } from './plan-change.ts'

const texts: JsonSchema = { type: 'array', items: { type: 'string' } }
const time = (description: string): JsonSchema => ({ type: 'string', format: 'date-time', description })
const count = (description: string): JsonSchema => ({ type: 'integer', description })
const user = (description: string): JsonSchema => ({ type: 'string', description })

/** The schema of a Plan's `spec`. */
export const planSpecSchema: JsonSchema = {
  type: 'object',
  description: 'What the plan covers and does. It cannot be changed.',
  properties: {
    mode: {
      type: 'string',
      enum: ['Normal', 'Destroy', 'RefreshOnly'],
      default: 'Normal',
      description:
        'Normal makes the real resources match the objects; Destroy destroys the real resources and keeps the objects; RefreshOnly accepts drift.',
    },
    refresh: {
      type: 'string',
      enum: ['None', 'Changed', 'All'],
      default: 'Changed',
      description:
        'Which real resources are read before planning: none, those of objects that may change, or all in the selection.',
    },
    scope: {
      type: 'string',
      enum: ['Changed', 'All'],
      default: 'Changed',
      description:
        'Changed plans objects that were edited or whose inputs changed; All plans every object in the selection.',
    },
    allDifferences: {
      type: 'boolean',
      description:
        'In mode RefreshOnly, also lists differences that no plan would change, such as an empty map in place of null.',
    },
    selector: {
      type: 'object',
      description: 'Restricts the plan to objects with these labels.',
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
    kinds: { ...texts, description: 'Restricts the plan to these kinds or types, such as SimNetwork or sim_network.' },
    targets: {
      ...texts,
      description:
        'Restricts the plan to these addresses and the resources they depend on; in mode Destroy, and the resources that depend on them.',
    },
    excludes: { ...texts, description: 'Addresses that the plan does not change.' },
    replace: { ...texts, description: 'Addresses that are replaced even if an update would do.' },
    allNamespaces: {
      type: 'boolean',
      description: 'Covers every namespace. The author needs the permission to create plans in all of them.',
    },
    approval: {
      type: 'string',
      enum: ['Manual', 'Automatic'],
      default: 'Manual',
      description: 'Automatic applies the plan right after planning. The author needs the permission to approve it.',
    },
    parallelism: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 50,
      description:
        'The maximum number of changes applied at the same time. From 50 on, a change that is sent to the provider together with others counts as a quarter.',
    },
    expiresAfter: {
      type: 'string',
      default: '24h',
      description: 'How long the plan waits for approval before it expires, such as 30m or 24h.',
    },
  } satisfies Record<keyof PlanSpec, JsonSchema>,
}

/** The schema of a Plan's `status`. Every field that the server writes is listed, so that none is pruned. */
export const planStatusSchema: JsonSchema = {
  type: 'object',
  description: 'The state of the plan. Only the server writes it.',
  properties: {
    phase: { type: 'string', enum: [...planPhases], description: 'The phase of the plan.' },
    message: { type: 'string', description: 'Details about the phase.' },
    summary: {
      type: 'object',
      description: 'The number of changes by action.',
      properties: {
        ...Object.fromEntries(planActions.map((action) => [action, count(`Changes with action ${action}.`)])),
        kept: count('Replacements that forget the old object instead of destroying it.'),
        noop: count('Objects without changes.'),
        readWhilePlanning: count('Reads that ran during planning.'),
      },
    },
    planned: {
      type: 'object',
      description: 'The end of planning.',
      properties: {
        at: time('When planning ended.'),
        revision: { type: 'integer', format: 'int64', description: 'The first revision that planning read.' },
        through: { type: 'integer', format: 'int64', description: 'The last revision that planning read.' },
      },
    },
    approval: {
      type: 'object',
      description: 'The decision about the plan.',
      properties: {
        decision: { type: 'string', enum: ['Approved', 'Rejected'], description: 'The decision.' },
        by: user('The user who decided.'),
        at: time('When the user decided.'),
        message: { type: 'string', description: 'The comment of the user.' },
      },
    },
    canceled: {
      type: 'object',
      description: 'The request to cancel the plan.',
      properties: { by: user('The user who canceled it.'), at: time('When it was canceled.') },
    },
    progress: {
      type: 'object',
      description: 'The progress of the apply.',
      properties: {
        total: count('Changes to apply.'),
        done: count('Changes that were applied.'),
        failed: count('Changes that failed, were refused or skipped, or have an unknown outcome.'),
        running: {
          type: 'array',
          description: 'Changes whose provider call is under way.',
          items: {
            type: 'object',
            properties: {
              address: { type: 'string', description: 'The address of the instance.' },
              action: { type: 'string', description: 'The action.' },
              since: time('When the call began.'),
            },
          },
        },
        ended: count('Steps that ended; a replacement has two.'),
        recent: {
          type: 'array',
          description: 'The last 50 steps that ended, oldest first.',
          items: {
            type: 'object',
            properties: {
              address: { type: 'string', description: 'The address of the instance.' },
              action: { type: 'string', description: 'The action.' },
              result: { type: 'string', description: 'The result.' },
              seconds: count('How long it took.'),
              id: { type: 'string', description: 'The id of the real resource, unless it is sensitive.' },
            },
          },
        },
      },
    },
    outcome: {
      type: 'object',
      description: 'The result of the apply.',
      properties: {
        added: count('Resources created.'),
        changed: count('Resources updated.'),
        destroyed: count('Resources destroyed.'),
      },
    },
    followUp: { type: 'string', description: 'The name of the plan with the changes that this one deferred.' },
    startedAt: time('When planning began; once it is applied, when the apply began.'),
    finishedAt: time('When the plan reached its final phase.'),
  } satisfies Record<keyof PlanStatus, JsonSchema>,
}
