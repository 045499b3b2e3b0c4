import { Buffer } from 'node:buffer'
import { identityType, impliedType, pathToText, valueToJson, valueToMsgpack } from '@hykube/tfplugin/value'
import { addressOf, kindFacts } from './change-facts.ts'
import type {
  ChangeAction,
  ChangeRecord,
  ReplaceOrder,
  ShownChange,
  ShownDiagnostic,
  WorkOrder,
} from './change-record.ts'
import type { NodeFacts, NodeKind } from './facts.ts'
import type { InstanceConfig, NodePlan, Prior } from './node-plan.ts'
import type { ProviderAccess } from './ports.ts'
import type { Action } from './rules/action.ts'
import { changeToJson } from './rules/change-json.ts'
import type { Findings } from './rules/findings.ts'
import type { Json } from './rules/json-form.ts'
import type { Importing, PlannedChange } from './rules/planned-instance.ts'
import { scrub, sensitiveStrings } from './rules/scrub.ts'
import { pathToJson } from './state-record.ts'
import type { InstanceKey } from './vocabulary/instance-key.ts'

/** What is kept of a change that makes or updates something. */
export function changeRecord(
  plan: NodePlan,
  instance: InstanceKey,
  config: InstanceConfig,
  prior: Prior,
  planned: PlannedChange,
): ChangeRecord {
  const { node, access, refersTo } = plan
  return {
    ...recordOf(node, addressOf(node, instance), planned),
    ...(prior.movedFrom !== undefined && { movedFrom: prior.movedFrom }),
    ...(planned.importing !== undefined && { importing: shownImport(node.kind, planned.importing) }),
    ...withDiagnostics(shownDiagnostics(plan, config, planned)),
    work: {
      ...workOf(node, access, planned),
      ...priorFacts(prior),
      inputs: config.used,
      fingerprint: config.fingerprint,
      refersTo,
      // Nothing leans on what an object was made from that is gone.
      madeFrom: (prior.state !== undefined && prior.madeFrom) || [],
      ...(plan.size !== undefined && { instances: plan.size }),
      ...(plan.batch !== undefined && { batch: plan.batch }),
    },
  }
}

// As Terraform's plan JSON has it.
function shownImport({ identity: schema }: NodeKind, importing: Importing): NonNullable<ChangeRecord['importing']> {
  if (importing.kind === 'id') return { id: importing.id }
  const text = schema === undefined ? '{}' : valueToJson(importing.identity, identityType(schema))
  return { identity: JSON.parse(text) as Json }
}

/** What a record of any change says. */
export function recordOf({ kind }: Pick<NodeFacts, 'kind'>, address: string, planned: PlannedChange): ChangeRecord {
  const { action, order } = actionOf(planned.action)
  return {
    ...kindFacts(kind),
    address,
    action: action === 'noop' ? 'import' : action,
    ...(order !== undefined && { order }),
    ...(planned.reason !== undefined && { reason: planned.reason }),
    shown: shownChange(kind.schema, planned),
  }
}

/** What applying a change must know of the plan. */
export function workOf(
  { uid, generation, kind }: Pick<NodeFacts, 'uid' | 'generation' | 'kind'>,
  { configuration, package: hash, epoch }: ProviderAccess,
  { after, plannedPrivate, afterIdentity, beforeSensitive, afterSensitive }: PlannedChange,
): Omit<WorkOrder, 'inputs' | 'refersTo' | 'madeFrom'> {
  return {
    uid,
    generation,
    configuration,
    package: hash,
    epoch,
    planned: Buffer.from(valueToMsgpack(after, impliedType(kind.schema.block))).toString('base64'),
    ...(plannedPrivate.length > 0 && { plannedPrivate: Buffer.from(plannedPrivate).toString('base64') }),
    ...(afterIdentity != null &&
      kind.identity !== undefined && {
        plannedIdentity: Buffer.from(valueToMsgpack(afterIdentity, identityType(kind.identity))).toString('base64'),
      }),
    beforeSensitive: beforeSensitive.map(pathToJson),
    afterSensitive: afterSensitive.map(pathToJson),
  }
}

/** Diagnostics as they may be shown: without secrets, and with the place in the specification. */
export function shownDiagnostics(
  { node }: Pick<NodePlan, 'node'>,
  config: InstanceConfig | undefined,
  { diagnostics }: Pick<Findings, 'diagnostics'>,
): ShownDiagnostic[] {
  if (diagnostics.length === 0) return []
  const secrets =
    config === undefined
      ? []
      : [...config.secrets, ...sensitiveStrings(node.kind.schema, config.value, config.sensitive)]
  return scrub(diagnostics, secrets).map(({ severity, summary, detail, attribute }) => ({
    severity,
    summary,
    ...(detail !== undefined && detail !== '' && { detail }),
    ...(attribute !== undefined && attribute.length > 0 && { field: `spec.${pathToText(attribute)}` }),
  }))
}

function priorFacts({ slot, revision }: Prior): Pick<WorkOrder, 'priorSlot' | 'stateRevision'> {
  return revision === undefined ? {} : { priorSlot: slot, stateRevision: revision }
}

function withDiagnostics(diagnostics: readonly ShownDiagnostic[]): Pick<ChangeRecord, 'diagnostics'> {
  return diagnostics.length === 0 ? {} : { diagnostics }
}

function shownChange(schema: NodeFacts['kind']['schema'], planned: PlannedChange): ShownChange {
  const { before, after, after_unknown, before_sensitive, after_sensitive, replace_paths, changed_sensitive } =
    changeToJson(schema, planned)
  return {
    before,
    after,
    afterUnknown: after_unknown,
    beforeSensitive: before_sensitive,
    afterSensitive: after_sensitive,
    ...(replace_paths !== undefined && { replacePaths: replace_paths }),
    ...(changed_sensitive !== undefined && { changedSensitive: changed_sensitive }),
  }
}

function actionOf(action: Action): { readonly action: ChangeAction | 'noop'; readonly order?: ReplaceOrder } {
  switch (action) {
    case 'delete-then-create':
      return { action: 'replace', order: 'delete-first' }
    case 'create-then-delete':
      return { action: 'replace', order: 'create-first' }
    case 'forget-then-create':
      return { action: 'replace', order: 'forget-first' }
    default:
      return { action }
  }
}
