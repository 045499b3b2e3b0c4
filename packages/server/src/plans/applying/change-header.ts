import type { OrderedChange } from '../../applying/index.ts'
import type { GroupedChange } from '../../estate/index.ts'
import type { ChangeInProgress } from '../../model/index.ts'
import { type ChangeRecord, type ResourceRef, refToText } from '../../model/index.ts'

/** The part of a change that is kept in memory while its plan is applied. There may be a million. */
export interface ChangeHeader extends OrderedChange {
  readonly target: ChangeInProgress['target']
  readonly action: ChangeRecord['action']
  /** The provider and its configuration, which limit concurrency. */
  readonly pool: string
  readonly configuration: string
  /** For a replacement: true when the old resource is forgotten instead of destroyed. */
  readonly keepsOld: boolean
  /** True when the plan's mode asks for the destruction, and not the spec. */
  readonly isUnwritten: boolean
  /** The outcome of an earlier attempt. */
  readonly result: string | undefined
  /** For a replacement: the half that an earlier attempt applied. */
  readonly half: ChangeRecord['half']
}

/** The part of a header that many changes of a plan share. */
export type ChangeGroup = Omit<ChangeHeader, 'target' | 'refText' | 'isUnwritten'> & { readonly hasReason: boolean }

export function groupOf({ action, order, work, outcome, half, reason, provider }: ChangeRecord): ChangeGroup {
  return {
    action,
    pool: `${provider}/${work?.configuration ?? ''}`,
    configuration: work?.configuration ?? '',
    hasReason: reason !== undefined,
    result: outcome?.result,
    half,
    makes: makes.has(action),
    destroys: destroys.has(action),
    createFirst: order === 'create-first',
    keepsOld: order === 'forget-first',
    refersTo: work?.refersTo ?? none,
    madeFrom: work?.madeFrom ?? none,
  }
}

/** Numbers the groups of a plan's changes. Changes that would be in too many groups get 0, which means no group. */
export class ChangeGroups {
  readonly #numbers = new Map<string, number>()

  numberOf(record: ChangeRecord): number {
    const { action, order, work, outcome, reason, provider } = record
    if (outcome !== undefined) return 0
    const { configuration = '', refersTo = none, madeFrom = none } = work ?? {}
    const text = [
      `${action} ${order} ${reason !== undefined} ${provider} ${configuration}`,
      ...refersTo,
      '',
      ...madeFrom,
    ].join('\n')
    const known = this.#numbers.get(text)
    if (known !== undefined || this.#numbers.size === mostGroups) return known ?? 0
    this.#numbers.set(text, this.#numbers.size + 1)
    return this.#numbers.size
  }
}

const mostGroups = 4096

/** Builds the headers of changes in the order of their keys. Equal strings and lists of consecutive headers share one object, to save memory. */
export class ChangeHeaders {
  #last: ChangeHeader | undefined

  of({ target, group: { hasReason, ...group }, progress }: GroupedChange<ChangeGroup>): ChangeHeader {
    const { action, pool, configuration, refersTo, madeFrom } = group
    const last = this.#last
    const known = progress as Pick<ChangeRecord, 'outcome' | 'half'> | undefined
    const text = refToText(target.ref)
    const isSame = last?.refText === text
    const header: ChangeHeader = {
      target: {
        ref: isSame ? last.target.ref : beside(last?.target.ref, target.ref),
        instance: target.instance,
        part: target.part,
      },
      ...group,
      pool: same(last?.pool, pool),
      configuration: same(last?.configuration, configuration),
      isUnwritten: (action === 'delete' || action === 'forget') && !hasReason && target.part === '',
      result: known?.outcome?.result ?? group.result,
      half: known?.half ?? group.half,
      refText: isSame ? last.refText : text,
      refersTo: sameList(last?.refersTo, refersTo),
      madeFrom: sameList(last?.madeFrom, madeFrom),
    }
    this.#last = header
    return header
  }
}

const makes: ReadonlySet<string> = new Set(['create', 'update', 'replace', 'read', 'import'])
const destroys: ReadonlySet<string> = new Set(['delete', 'replace', 'forget'])
const none: readonly string[] = []

// Consecutive references mostly differ only in the name.
function beside(
  last: ResourceRef | undefined,
  { cluster, group, resource, namespace, name }: ResourceRef,
): ResourceRef {
  return {
    cluster: same(last?.cluster, cluster),
    group: same(last?.group, group),
    resource: same(last?.resource, resource),
    namespace: same(last?.namespace, namespace),
    name,
  }
}

function same(known: string | undefined, text: string): string {
  return known === text ? known : text
}

function sameList(known: readonly string[] | undefined, list: readonly string[]): readonly string[] {
  return known?.length === list.length && known.every((text, at) => text === list[at]) ? known : list
}
