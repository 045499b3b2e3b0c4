import { addressOf, blockedRecord, openCallText } from './change-facts.ts'
import type { ChangeRecord } from './change-record.ts'
import type { ChangedInstance, PlanContext } from './context.ts'
import type { InstanceStates, KnownState, NodeFacts } from './facts.ts'
import { preventedSummary } from './rules/plan-destroy.ts'
import { isGone } from './state-record.ts'
import { type InstanceKey, instanceToText } from './vocabulary/instance-key.ts'
import { type NodePlace, nodeFromText, nodeToText } from './vocabulary/place.ts'

/**
 * Blocks every change that destroys or replaces what a remaining instance uses, directly or through others. It runs when all changes
 * are recorded, because a replacement and the dependents that it affects are known only then. It reads the edges of objects that are
 * destroyed, replaced or blocked, and no others.
 */
export async function protectUsed(context: PlanContext): Promise<void> {
  await new Protection(context).run()
}

/** An object whose changes are to be blocked. */
interface Held {
  readonly node: string
  readonly message: string
  /** Which of its changes: those that destroy, or those that make something from this object. */
  readonly waitsFor?: string
  /** The reason at the end of a chain of objects that wait for each other. */
  readonly root?: string
}

class Protection {
  readonly #context: PlanContext
  /** Why objects stay whose destruction was blocked here. */
  readonly #held = new Map<string, string>()

  constructor(context: PlanContext) {
    this.#context = context
  }

  async run(): Promise<void> {
    const { sink, signal } = this.#context
    // Sorted, so that the same changes always give the same messages.
    for (const node of [...sink.going].sort()) {
      signal.throwIfAborted()
      const message = this.#held.has(node) ? undefined : await this.#remainingUser(this.#place(node))
      if (message !== undefined) await this.#hold({ node, message })
    }
  }

  #place(node: string): NodePlace {
    return nodeFromText(this.#context.request.cluster, node)
  }

  async #hold(first: Held): Promise<void> {
    const open = [first]
    for (let held = open.shift(); held !== undefined; held = open.shift()) {
      const { node, message, waitsFor, root } = held
      if (waitsFor === undefined && this.#held.has(node)) continue
      const blocked = await this.#block(held)
      if (blocked === undefined) continue
      this.#held.set(node, this.#held.get(node) ?? message)
      for (const used of blocked.uses)
        if (this.#context.sink.going.has(used))
          open.push({ node: used, message: `${blocked.address} uses it and stays: ${message}` })
      const reason = root ?? `${blocked.address}, which is blocked: ${message}`
      for await (const dependent of this.#context.ports.dependents(this.#place(node), undefined))
        open.push({ node: nodeToText(dependent), message: `it waits for ${reason}`, waitsFor: node, root: reason })
    }
  }

  // Blocks changes of an object. Gives the first address, and the objects that the blocked instances use; undefined when there are none.
  async #block({ node, message, waitsFor }: Held) {
    const { sink, ports } = this.#context
    const place = this.#place(node)
    const changes: { readonly place: ChangedInstance; readonly record: ChangeRecord }[] = []
    for await (const change of sink.changes(place))
      if (waitsFor === undefined ? isGoing(change.record) : isMadeFrom(change.record, waitsFor)) changes.push(change)
    const [first] = changes
    const kind = ports.kinds.at(place.cluster, place.group, place.resource)
    if (first === undefined || kind === undefined) return undefined
    const uses = new Set<string>()
    for (const { place: changed, record } of changes) {
      await sink.instead(changed, record, blockedRecord({ place, kind }, record.address, 'blocked', message))
      for (const used of record.work?.madeFrom ?? []) await this.#reach(used, uses)
    }
    return { address: first.record.address, uses }
  }

  // A data source is no object outside: what it was read from is used by those that use it.
  async #reach(node: string, uses: Set<string>): Promise<void> {
    if (uses.has(node)) return
    uses.add(node)
    const place = this.#place(node)
    if (!isData(place)) return
    for (const { current } of await this.#context.ports.states(place))
      for (const used of current?.record.dependencies ?? []) await this.#reach(used, uses)
  }

  // Why something of an object can't go: a message that names the instance which uses it and stays.
  async #remainingUser(place: NodePlace): Promise<string | undefined> {
    const { ports } = this.#context
    const node = await ports.node(place)
    if (node === undefined || node.deleting || this.#context.request.mode === 'Destroy')
      for await (const dependent of ports.dependents(place, undefined)) {
        const referrer = await this.#referrer(place, dependent)
        if (referrer !== undefined) return referrer
      }
    for await (const { user, via } of this.#users(place, new Set())) {
      const reason = await this.#remaining(place, user, via)
      if (reason !== undefined) return `${reason.address}${elsewhere(place, user)} uses it and stays: ${reason.why}`
    }
    return undefined
  }

  // An object that exists outside, stays, and refers to a deleted one by what is written.
  async #referrer(place: NodePlace, dependent: NodePlace): Promise<string | undefined> {
    const { ports, request } = this.#context
    const other = await ports.node(dependent)
    if (other === undefined || other.deleting || (request.mode === 'Destroy' && request.selects(other)))
      return undefined
    if ((await ports.states(dependent)).length === 0 && (await ports.openCalls(dependent)).size === 0) return undefined
    return `${addressOf(other)}${elsewhere(place, dependent)} refers to it and stays: delete it too, or change what it refers to`
  }

  // The objects that were made from an object, also by way of data sources; `via` is the edge's target.
  async *#users(
    place: NodePlace,
    seen: Set<string>,
  ): AsyncGenerator<{ readonly user: NodePlace; readonly via: string }> {
    const via = nodeToText(place)
    for await (const user of this.#context.ports.madeFrom(place)) {
      if (!isData(user)) yield { user, via }
      else if (!seen.has(nodeToText(user))) {
        seen.add(nodeToText(user))
        yield* this.#users(user, seen)
      }
    }
  }

  // The first instance of an object that was made from another one, and stays as it is.
  async #remaining(used: NodePlace, user: NodePlace, via: string): Promise<Remaining | undefined> {
    const { ports, request, sink } = this.#context
    const text = nodeToText(user)
    const node = await ports.node(user)
    const isSelected = node === undefined ? sink.going.has(text) : request.selects(node)
    const isChosen = node === undefined ? undefined : request.instancesOf(node)
    const mayStay = !isSelected || isChosen !== undefined || sink.staying.has(text) || this.#held.has(text)
    if (!mayStay) return undefined
    const changes = await this.#changesOf(user)
    const isReplaced = await this.#isReplaced(used)
    for (const states of await ports.states(user)) {
      const isPart = isSelected && (isChosen?.(states.instance) ?? true)
      const why = whyStays(states, via, changes, isPart, isReplaced)
      if (why !== undefined) return { address: this.#addressOf(user, node, states.instance), why }
    }
    const [open] = await ports.openCalls(user)
    return open === undefined
      ? undefined
      : { address: this.#addressOf(user, node, open[0]), why: openCallText(open[1]) }
  }

  async #isReplaced(place: NodePlace): Promise<boolean> {
    for await (const { record } of this.#context.sink.changes(place)) if (record.action === 'delete') return false
    return true
  }

  async #changesOf(place: NodePlace): Promise<ReadonlyMap<string, ChangeRecord>> {
    const changes = new Map<string, ChangeRecord>()
    for await (const { place: changed, record } of this.#context.sink.changes(place))
      changes.set(changeText(changed.instance, changed.part), record)
    return changes
  }

  #addressOf(place: NodePlace, node: NodeFacts | undefined, instance: InstanceKey): string {
    const kind = node?.kind ?? this.#context.ports.kinds.at(place.cluster, place.group, place.resource)
    return kind === undefined ? `${place.resource}/${place.name}` : addressOf({ place, kind }, instance)
  }
}

interface Remaining {
  readonly address: string
  readonly why: string
}

function whyStays(
  { instance, current, observed, deposed }: InstanceStates,
  via: string,
  changes: ReadonlyMap<string, ChangeRecord>,
  isSelected: boolean,
  isReplaced: boolean,
): string | undefined {
  const uses = (known: KnownState | undefined) => known?.record.dependencies.includes(via) === true
  const isThere = observed === undefined || !isGone(observed.record)
  const parts = isThere && (uses(current) || uses(observed)) ? [''] : []
  for (const each of deposed) if (uses(each)) parts.push(`deposed/${each.key}`)
  for (const part of parts) {
    const change = changes.get(changeText(undefined, 'object')) ?? changes.get(changeText(instance, part))
    if (change === undefined && !isSelected) return 'it is not part of this plan'
    if (change === undefined && part !== '') return 'it was left behind by a replacement'
    // It is planned when the new object is known, and can't be before.
    if (change?.action === 'deferred' && isReplaced && current?.record.preventDestroy !== true) continue
    const why = change === undefined ? undefined : whyRemains(change)
    if (why !== undefined) return why
  }
  return undefined
}

/** Why what a change is about remains outside as it is; undefined when the change destroys, replaces or updates it. */
function whyRemains({ action, order, message, diagnostics, work }: ChangeRecord): string | undefined {
  if (action === 'blocked' || action === 'deferred')
    return diagnostics?.[0]?.summary === preventedSummary ? 'prevent_destroy' : (message ?? action)
  const isForgotten = action === 'forget' || (action === 'replace' && order === 'forget-first')
  return isForgotten && (work?.madeFrom.length ?? 0) > 0 ? 'lifecycle.destroy is false' : undefined
}

/** Whether a change leaves something outside as it is, so that what that uses must stay. */
export function isStaying(record: ChangeRecord): boolean {
  return whyRemains(record) !== undefined
}

/** Whether a change destroys what is outside. */
export function isGoing({ action, order }: ChangeRecord): boolean {
  return action === 'delete' || (action === 'replace' && order !== 'forget-first')
}

function isMadeFrom({ action, work }: ChangeRecord, node: string): boolean {
  return ['create', 'update', 'replace', 'read', 'import'].includes(action) && work?.refersTo.includes(node) === true
}

function isData({ group }: NodePlace): boolean {
  return group.startsWith('data.')
}

function elsewhere({ namespace }: NodePlace, other: NodePlace): string {
  return other.namespace === namespace ? '' : ` in namespace ${other.namespace}`
}

function changeText(instance: InstanceKey, part: string): string {
  return `${instanceToText(instance)} ${part}`
}
