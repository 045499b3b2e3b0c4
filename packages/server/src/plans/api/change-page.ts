import type { PlanAction } from '@hykube/machinery/plan-api'
import { badRequest } from '@hykube/machinery/status'
import { changeKeyFromText, changeKeyToText, type Estate, type StoredChange } from '../../estate/index.ts'
import type { ChangeRecord } from '../../model/index.ts'

/** The query of a request for a plan's changes. */
export interface ChangeQuery {
  readonly limit: number
  /** The continue token of the previous page; empty for the first page. */
  readonly continueAfter: string
  readonly action?: string | undefined
  readonly kind?: string | undefined
  readonly name?: string | undefined
}

/** Returns a page of a plan's changes for the API. */
export async function changePage(
  estate: Estate,
  cluster: string,
  plan: string,
  query: ChangeQuery,
): Promise<ChangeList> {
  const items: ShownItem[] = []
  let after = query.continueAfter === '' ? undefined : changeKeyFromText(query.continueAfter, cluster, plan)
  if (query.continueAfter !== '' && after === undefined)
    throw badRequest('the continue token is not valid for this plan')
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

/** Converts a page of changes to a Table for kubectl. */
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

function isWanted({ target, record }: StoredChange<ChangeRecord>, { action, kind, name }: ChangeQuery): boolean {
  return (
    (action === undefined || record.action === action) &&
    (kind === undefined || record.kind === kind || record.type === kind) &&
    (name === undefined || target.ref.name === name)
  )
}

/** Converts a change for the API. */
function shownItem({ target, record }: StoredChange<ChangeRecord>): ShownItem {
  const { work: _, shown, half: __, data, part, ...rest } = { ...record, part: target.part }
  const item = {
    ...rest,
    namespace: target.ref.namespace,
    name: target.ref.name,
    ...(target.instance !== undefined && { instance: target.instance }),
    resource: target.ref.resource,
    mode: data ? 'data' : 'managed',
    ...(part.startsWith('deposed/') && { deposed: part.slice('deposed/'.length) }),
    ...(shown !== undefined && { change: planJsonChange(record) }),
  }
  return item
}

/** Converts a change to the format of Terraform's plan JSON. */
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

function actionsOf(action: PlanAction, order: ChangeRecord['order']): readonly string[] {
  if (action === 'replace')
    return order === 'create-first'
      ? ['create', 'delete']
      : order === 'forget-first'
        ? ['forget', 'create']
        : ['delete', 'create']
  return action === 'import' ? ['no-op'] : [action]
}
