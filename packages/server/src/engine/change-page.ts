import { badRequest } from '@hykube/machinery/status'
import { changeKeyFromText, changeKeyToText, type Estate, type StoredChange } from '../estate/index.ts'
import type { ChangeAction, ChangeRecord } from '../plan/index.ts'

/** Which changes of a plan are wanted. */
export interface ChangeQuery {
  readonly limit: number
  /** Where the page before ended; empty for the first. */
  readonly continueAfter: string
  readonly action?: string | undefined
  readonly kind?: string | undefined
  readonly name?: string | undefined
}

/** A page of a plan's changes, as the API shows it. */
export async function changePage(
  estate: Estate,
  cluster: string,
  plan: string,
  query: ChangeQuery,
): Promise<ChangeList> {
  const items: ShownItem[] = []
  let after = query.continueAfter === '' ? undefined : changeKeyFromText(query.continueAfter, cluster, plan)
  if (query.continueAfter !== '' && after === undefined)
    throw badRequest('continue key is not valid: it is of another plan')
  for (;;) {
    const page = await estate.changePage<ChangeRecord>(cluster, plan, {
      limit: query.limit - items.length,
      ...(after !== undefined && { after }),
    })
    for (const change of page.changes) if (isWanted(change, query)) items.push(shownItem(change))
    after = page.last
    if (after === undefined || items.length >= query.limit) break
  }
  const metadata = after === undefined ? {} : { continue: changeKeyToText(after) }
  return { apiVersion: 'hykube.io/v1alpha1', kind: 'PlanChangeList', metadata, items }
}

export interface ChangeList {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly continue?: string }
  readonly items: readonly ShownItem[]
}

interface ShownItem {
  readonly address: string
  readonly action: string
  readonly namespace: string
  readonly name: string
  readonly reason?: string
  readonly message?: string
  readonly outcome?: { readonly result: string; readonly message?: string }
}

/** A page of changes as clients that draw tables want it. */
export function changeTable({ metadata, items }: ChangeList): object {
  const column = (name: string, priority = 0) => ({ name, type: 'string', format: '', description: '', priority })
  return {
    apiVersion: 'meta.k8s.io/v1',
    kind: 'Table',
    metadata,
    columnDefinitions: [column('Address'), column('Action'), column('Reason'), column('Result'), column('Message', 1)],
    rows: items.map(({ address, action, reason = '', outcome, message = '', namespace, name }) => ({
      cells: [address, action, reason, outcome?.result ?? '', outcome?.message ?? message],
      object: { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: { namespace, name } },
    })),
  }
}

function isWanted({ place, record }: StoredChange<ChangeRecord>, { action, kind, name }: ChangeQuery): boolean {
  return (
    (action === undefined || record.action === action) &&
    (kind === undefined || record.kind === kind || record.type === kind) &&
    (name === undefined || place.node.name === name)
  )
}

/** A change as the API shows it. */
function shownItem({ place, record }: StoredChange<ChangeRecord>): ShownItem {
  const { work: _, shown, half: __, data, part, ...rest } = { ...record, part: place.part }
  const item = {
    ...rest,
    namespace: place.node.namespace,
    name: place.node.name,
    ...(place.instance !== undefined && { instance: place.instance }),
    resource: place.node.resource,
    mode: data ? 'data' : 'managed',
    ...(part.startsWith('deposed/') && { deposed: part.slice('deposed/'.length) }),
    ...(shown !== undefined && { change: planJsonChange(record) }),
  }
  return item
}

/** A change in the form of Terraform's plan JSON. */
export function planJsonChange({ action, order, shown, importing }: ChangeRecord): object {
  const { before, after, afterUnknown, beforeSensitive, afterSensitive, replacePaths, changedSensitive } = shown!
  return {
    actions: actionsOf(action, order),
    before,
    after,
    after_unknown: afterUnknown,
    before_sensitive: beforeSensitive,
    after_sensitive: afterSensitive,
    ...(replacePaths !== undefined && { replace_paths: replacePaths }),
    ...(changedSensitive !== undefined && { changed_sensitive: changedSensitive }),
    ...(importing !== undefined && { importing }),
  }
}

function actionsOf(action: ChangeAction, order: ChangeRecord['order']): readonly string[] {
  if (action === 'replace')
    return order === 'create-first'
      ? ['create', 'delete']
      : order === 'forget-first'
        ? ['forget', 'create']
        : ['delete', 'create']
  return action === 'import' ? ['no-op'] : [action]
}
