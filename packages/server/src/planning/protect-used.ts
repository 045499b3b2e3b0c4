import { configurationOf, repetitionOf, resolveReferences } from '../evaluation/index.ts'
import { referencesOf } from '../expression/index.ts'
import type { ChangedInstance, ChangeRecord, InstanceStates, KnownState, ResourceObject } from '../model/index.ts'
import {
  addressOf,
  type InstanceKey,
  instanceToText,
  isGone,
  openCallText,
  type ResourceRef,
  refFromText,
  refToText,
} from '../model/index.ts'
import { preventedSummary } from '../terraform/index.ts'
import { blockedRecord } from './change-facts.ts'
import type { PlanContext } from './context.ts'

/**
 * Blocks every change that destroys or replaces what a remaining instance uses, directly or through others. It runs when all changes
 * are recorded, because a replacement and the dependents that it affects are known only then. It reads the edges of objects that are
 * destroyed, replaced or blocked, and no others.
 */
export async function protectUsed(context: PlanContext): Promise<void> {
  await new Protection(context).run()
}

/** An object whose changes must be blocked. */
interface BlockedObject {
  readonly refText: string
  readonly message: string
  /** Selects the changes: without it those that destroy, with it those that create or update something from this object. */
  readonly waitsFor?: string
  /** The cause at the end of a chain of objects that wait for each other. */
  readonly root?: string
}

class Protection {
  readonly #context: PlanContext
  /** The objects whose destruction was blocked here, with the reason. */
  readonly #blocked = new Map<string, string>()

  constructor(context: PlanContext) {
    this.#context = context
  }

  async run(): Promise<void> {
    const { sink, signal } = this.#context
    // Sorted, so that equal plans have equal messages.
    for (const refText of [...sink.destroying].sort()) {
      signal.throwIfAborted()
      const message = this.#blocked.has(refText) ? undefined : await this.#remainingUser(this.#ref(refText))
      if (message !== undefined) await this.#blockChain({ refText, message })
    }
  }

  #ref(refText: string): ResourceRef {
    return refFromText(this.#context.request.cluster, refText)
  }

  async #blockChain(first: BlockedObject): Promise<void> {
    const open = [first]
    for (let held = open.shift(); held !== undefined; held = open.shift()) {
      const { refText, message, waitsFor, root } = held
      if (waitsFor === undefined && this.#blocked.has(refText)) continue
      const blocked = await this.#block(held)
      if (blocked === undefined) continue
      this.#blocked.set(refText, this.#blocked.get(refText) ?? message)
      for (const used of blocked.uses)
        if (this.#context.sink.destroying.has(used))
          open.push({ refText: used, message: `${blocked.address} uses it and stays: ${message}` })
      const reason = root ?? `${blocked.address}, which is blocked: ${message}`
      for await (const dependent of this.#context.ports.dependents(this.#ref(refText), undefined))
        open.push({ refText: refToText(dependent), message: `it waits for ${reason}`, waitsFor: refText, root: reason })
    }
  }

  // Blocks changes of an object. Returns the first address and the objects that the blocked instances use; undefined when no change matched.
  async #block({ refText, message, waitsFor }: BlockedObject) {
    const { sink, ports } = this.#context
    const ref = this.#ref(refText)
    const changes: { readonly target: ChangedInstance; readonly record: ChangeRecord }[] = []
    for await (const change of sink.changes(ref))
      if (waitsFor === undefined ? destroysResource(change.record) : isMadeFrom(change.record, waitsFor))
        changes.push(change)
    const [first] = changes
    const kind = ports.kinds.at(ref.cluster, ref.group, ref.resource)
    if (first === undefined || kind === undefined) return undefined
    const uses = new Set<string>()
    for (const { target: changed, record } of changes) {
      await sink.replaceChange(changed, record, blockedRecord({ ref, kind }, record.address, 'blocked', message))
      for (const used of record.work?.madeFrom ?? []) await this.#reach(used, uses)
    }
    return { address: first.record.address, uses }
  }

  // A data source has no real resource, so its dependents use the objects that it was read from.
  async #reach(refText: string, uses: Set<string>): Promise<void> {
    if (uses.has(refText)) return
    uses.add(refText)
    const ref = this.#ref(refText)
    if (!isData(ref)) return
    for (const { current } of await this.#context.ports.states(ref))
      for (const used of current?.record.dependencies ?? []) await this.#reach(used, uses)
  }

  // Returns why an object can't be destroyed: a message that names an instance which uses it and stays.
  async #remainingUser(ref: ResourceRef): Promise<string | undefined> {
    const { ports } = this.#context
    const object = await ports.object(ref)
    if (object === undefined || object.deleting || this.#context.request.mode === 'Destroy')
      for await (const dependent of ports.dependents(ref, undefined)) {
        const referrer = await this.#referrer(ref, dependent)
        if (referrer !== undefined) return referrer
      }
    for await (const { user, via } of this.#users(ref, new Set())) {
      const reason = await this.#remaining(ref, user, via)
      if (reason !== undefined) return `${reason.address}${elsewhere(ref, user)} uses it and stays: ${reason.why}`
    }
    return undefined
  }

  // Returns a message for a remaining object with a real resource whose spec refers to the destroyed one.
  async #referrer(ref: ResourceRef, dependent: ResourceRef): Promise<string | undefined> {
    const { ports, request } = this.#context
    const other = await ports.object(dependent)
    if (other === undefined || other.deleting || (request.mode === 'Destroy' && (await request.selects(other))))
      return undefined
    if ((await ports.states(dependent)).length === 0 && (await ports.openCalls(dependent)).size === 0) return undefined
    return `${addressOf(other)}${elsewhere(ref, dependent)} refers to it and stays: delete it too, or change what it refers to`
  }

  // Lists the objects whose resources were created from an object, directly or through data sources; `via` is the target of the edge.
  async *#users(
    ref: ResourceRef,
    seen: Set<string>,
  ): AsyncGenerator<{ readonly user: ResourceRef; readonly via: string }> {
    const via = refToText(ref)
    for await (const user of this.#context.ports.madeFrom(ref)) {
      if (!isData(user)) yield { user, via }
      else if (!seen.has(refToText(user))) {
        seen.add(refToText(user))
        yield* this.#users(user, seen)
      }
    }
  }

  // Returns the first instance of `user` that was created from `used` and stays.
  async #remaining(used: ResourceRef, user: ResourceRef, via: string): Promise<Remaining | undefined> {
    const { ports, request, sink } = this.#context
    const text = refToText(user)
    const object = await ports.object(user)
    const isSelected = object === undefined ? sink.destroying.has(text) : await request.selects(object)
    const isChosen = object === undefined ? undefined : request.instancesOf(object)
    const mayStay = !isSelected || isChosen !== undefined || sink.remaining.has(text) || this.#blocked.has(text)
    if (!mayStay) return undefined
    const changes = await this.#changesOf(user)
    const mayWait = object !== undefined && (await this.#isReplaced(used)) && !(await this.#takesValue(object, via))
    for (const states of await ports.states(user)) {
      const isPart = isSelected && (isChosen?.(states.instance) ?? true)
      const why = reasonToStay(states, via, changes, isPart, mayWait)
      if (why !== undefined) return { address: this.#addressOf(user, object, states.instance), why }
    }
    const [open] = await ports.openCalls(user)
    if (open === undefined) return undefined
    const [instance, plan] = open
    const address = this.#addressOf(user, object, instance)
    return { address, why: openCallText(JSON.stringify(plan), address, user.namespace) }
  }

  // True when instances use a value of another object; otherwise only their number depends on it.
  async #takesValue(object: ResourceObject, used: string): Promise<boolean> {
    const { ports } = this.#context
    const { ref, kind, spec } = object
    const isCounted = repetitionOf(spec) === 'count'
    const values = referencesOf(kind.schema.block, spec).references.filter(
      ({ role }) => role === 'value' || (role === 'expansion' && !isCounted),
    )
    const references = values.map(({ reference }) => reference)
    const { targets } = resolveReferences(object, references, ports.kinds)
    const configured = await ports.configuredFrom(ref, kind, configurationOf(spec))
    return [...targets, ...configured].some((target) => refToText(target.ref) === used)
  }

  async #isReplaced(ref: ResourceRef): Promise<boolean> {
    for await (const { record } of this.#context.sink.changes(ref)) if (record.action === 'delete') return false
    return true
  }

  async #changesOf(ref: ResourceRef): Promise<ReadonlyMap<string, ChangeRecord>> {
    const changes = new Map<string, ChangeRecord>()
    for await (const { target: changed, record } of this.#context.sink.changes(ref))
      changes.set(changeText(changed.instance, changed.part), record)
    return changes
  }

  #addressOf(ref: ResourceRef, object: ResourceObject | undefined, instance: InstanceKey): string {
    const kind = object?.kind ?? this.#context.ports.kinds.at(ref.cluster, ref.group, ref.resource)
    return kind === undefined ? `${ref.resource}/${ref.name}` : addressOf({ ref, kind }, instance)
  }
}

interface Remaining {
  readonly address: string
  readonly why: string
}

function reasonToStay(
  { instance, current, observed, deposed }: InstanceStates,
  via: string,
  changes: ReadonlyMap<string, ChangeRecord>,
  isSelected: boolean,
  /** True when a deferred instance doesn't use the replaced object: only the number of instances depends on it. */
  mayWait: boolean,
): string | undefined {
  const uses = (known: KnownState | undefined) => known?.record.dependencies.includes(via) === true
  const isThere = observed === undefined || !isGone(observed.record)
  const parts = isThere && (uses(current) || uses(observed)) ? [''] : []
  for (const each of deposed) if (uses(each)) parts.push(`deposed/${each.key}`)
  for (const part of parts) {
    const change = changes.get(changeText(undefined, 'object')) ?? changes.get(changeText(instance, part))
    if (change === undefined && !isSelected) return 'it is not part of this plan'
    if (change === undefined && part !== '') return 'it is a deposed resource of a replacement'
    if (change?.action === 'deferred' && mayWait) continue
    const why = change === undefined ? undefined : whyRemains(change)
    if (why !== undefined) return why
  }
  return undefined
}

/** Returns why the resource of a change stays as it is; undefined when the change destroys, replaces or updates it. */
function whyRemains({ action, order, message, diagnostics, work }: ChangeRecord): string | undefined {
  if (action === 'blocked' || action === 'deferred')
    return diagnostics?.[0]?.summary === preventedSummary ? 'prevent_destroy' : (message ?? action)
  const isForgotten = action === 'forget' || (action === 'replace' && order === 'forget-first')
  return isForgotten && (work?.madeFrom.length ?? 0) > 0 ? 'lifecycle.destroy is false' : undefined
}

/** True when a change leaves a resource as it is, so that everything it uses must stay. */
export function keepsResource(record: ChangeRecord): boolean {
  return whyRemains(record) !== undefined
}

/** True when a change destroys a resource. */
export function destroysResource({ action, order }: ChangeRecord): boolean {
  return action === 'delete' || (action === 'replace' && order !== 'forget-first')
}

function isMadeFrom({ action, work }: ChangeRecord, refText: string): boolean {
  return ['create', 'update', 'replace', 'read', 'import'].includes(action) && work?.refersTo.includes(refText) === true
}

function isData({ group }: ResourceRef): boolean {
  return group.startsWith('data.')
}

function elsewhere({ namespace }: ResourceRef, other: ResourceRef): string {
  return other.namespace === namespace ? '' : ` in namespace ${other.namespace}`
}

function changeText(instance: InstanceKey, part: string): string {
  return `${instanceToText(instance)} ${part}`
}
