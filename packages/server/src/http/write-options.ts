import { validateFieldManager } from '@hykube/machinery/object'
import { invalid, type StatusCause } from '@hykube/machinery/status'
import type { RequestContext } from './context.ts'

/** Options of a write. */
export interface WriteOptions {
  readonly dryRun: boolean
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict'
  /** Owner of the written fields: the client's `fieldManager`, or the first word of its user agent. */
  readonly manager: string
  /** True when the client sent `fieldManager`. */
  readonly managerGiven: boolean
  readonly force: boolean | undefined
}

/**
 * Parses the options of a create, update or patch. Throws 422 about the given kind of options when they are invalid.
 */
export function writeOptionsFrom(
  context: RequestContext,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
): WriteOptions {
  const { query, request } = context
  const causes: StatusCause[] = []
  const dryRun = query.getAll('dryRun')
  for (const value of dryRun)
    if (value !== 'All')
      causes.push({
        reason: 'FieldValueNotSupported',
        field: 'dryRun',
        message: `Unsupported value: ${JSON.stringify(dryRun)}: supported values: "All"`,
      })
  const fieldManager = query.get('fieldManager') ?? ''
  causes.push(...validateFieldManager(fieldManager, 'fieldManager'))
  const fieldValidation = query.get('fieldValidation') || 'Warn'
  if (!isFieldValidation(fieldValidation))
    causes.push({
      reason: 'FieldValueNotSupported',
      field: 'fieldValidation',
      message: `Unsupported value: ${JSON.stringify(fieldValidation)}: supported values: "", "Ignore", "Strict", "Warn"`,
    })
  if (causes.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', causes)
  return {
    dryRun: dryRun.length > 0,
    fieldValidation: fieldValidation as WriteOptions['fieldValidation'],
    manager: fieldManager === '' ? managerFromAgent(request.header('user-agent')[0] ?? '') : fieldManager,
    managerGiven: fieldManager !== '',
    force: query.has('force') ? query.get('force') !== 'false' : undefined,
  }
}

function isFieldValidation(value: string): value is WriteOptions['fieldValidation'] {
  return value === 'Ignore' || value === 'Warn' || value === 'Strict'
}

function managerFromAgent(agent: string): string {
  const manager = agent
    .split('/', 1)[0]!
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '')
    .slice(0, 128)
  return manager === '' ? 'unknown' : manager
}
