import { Buffer } from 'node:buffer'
import type { PlanAction, PlanDiagnostic, ReplaceOrder } from '@hykube/machinery/plan-api'
import { identityType, impliedType } from '@hykube/tfplugin/schema'
import { valueToJson, valueToMsgpack } from '@hykube/tfplugin/value'
import type { InstanceConfig, ProviderAccess } from '../evaluation/index.ts'
import { shownDiagnostics } from '../evaluation/index.ts'
import type { ChangeRecord, InstanceKey, ResourceKind, ResourceObject, ShownChange, WorkOrder } from '../model/index.ts'
import { addressOf, pathToJson } from '../model/index.ts'
import type { Action, Importing, Json, PlannedChange } from '../terraform/index.ts'
import { changeToJson } from '../terraform/index.ts'
import { kindFacts } from './change-facts.ts'
import type { ObjectPlan, Prior } from './object-plan.ts'

/** Encodes a change that creates or updates a resource. */
export function changeRecord(
  plan: ObjectPlan,
  instance: InstanceKey,
  config: InstanceConfig,
  prior: Prior,
  planned: PlannedChange,
): ChangeRecord {
  const { object, access, refersTo } = plan
  return {
    ...recordOf(object, addressOf(object, instance), planned),
    ...(prior.movedFrom !== undefined && { movedFrom: prior.movedFrom }),
    ...(planned.importing !== undefined && { importing: shownImport(object.kind, planned.importing) }),
    ...withDiagnostics(shownDiagnostics(plan, config, planned)),
    work: {
      ...workOf(object, access, planned),
      ...priorFacts(prior),
      inputs: config.used,
      fingerprint: config.fingerprint,
      refersTo,
      // A resource that no longer exists uses nothing.
      madeFrom: (prior.state !== undefined && prior.madeFrom) || [],
      ...(plan.size !== undefined && { instances: plan.size }),
      ...(plan.batch !== undefined && { batch: plan.batch }),
    },
  }
}

// The format of Terraform's plan JSON.
function shownImport({ identity: schema }: ResourceKind, importing: Importing): NonNullable<ChangeRecord['importing']> {
  if (importing.kind === 'id') return { id: importing.id }
  const text = schema === undefined ? '{}' : valueToJson(importing.identity, identityType(schema))
  return { identity: JSON.parse(text) as Json }
}

/** Encodes the fields that every change has. */
export function recordOf(
  { kind }: Pick<ResourceObject, 'kind'>,
  address: string,
  planned: PlannedChange,
): ChangeRecord {
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

/** Encodes the inputs and preconditions of applying a change. */
export function workOf(
  { uid, generation, kind }: Pick<ResourceObject, 'uid' | 'generation' | 'kind'>,
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

function priorFacts({ slot, revision }: Prior): Pick<WorkOrder, 'priorSlot' | 'stateRevision'> {
  return revision === undefined ? {} : { priorSlot: slot, stateRevision: revision }
}

function withDiagnostics(diagnostics: readonly PlanDiagnostic[]): Pick<ChangeRecord, 'diagnostics'> {
  return diagnostics.length === 0 ? {} : { diagnostics }
}

function shownChange(schema: ResourceObject['kind']['schema'], planned: PlannedChange): ShownChange {
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

function actionOf(action: Action): { readonly action: PlanAction | 'noop'; readonly order?: ReplaceOrder } {
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
