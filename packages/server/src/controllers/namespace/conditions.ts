import { type Condition, timeToText, withCondition } from '@hykube/machinery/object'
import type { DiscoveryFailure } from '@hykube/runtime/client'
import { type ContentLeft, managedFinalizer } from './content.ts'

/** What an attempt to empty a namespace found out. */
export interface Attempt {
  readonly left: ContentLeft
  readonly undiscovered: readonly DiscoveryFailure[]
  /** Group versions whose names make no sense. */
  readonly unreadable: readonly string[]
}

/** Whether nothing keeps the namespace from going. */
export function isEmptied({ left, undiscovered, unreadable }: Attempt): boolean {
  return left.remaining.size + left.failures.length + undiscovered.length + unreadable.length === 0
}

/** The conditions of a namespace that goes, in Kubernetes' types, reasons and words. The same list when none changed. */
export function terminationConditions(
  before: readonly Condition[] | undefined,
  { left, undiscovered, unreadable }: Attempt,
  now: number,
): readonly Condition[] {
  const lastTransitionTime = timeToText(now)
  return rows({ left, undiscovered, unreadable }).reduce<readonly Condition[]>((conditions, row) => {
    const [status, [reason, message]] = row.holds ? (['True', row.yes] as const) : (['False', row.no] as const)
    return withCondition(conditions, { type: row.type, status, lastTransitionTime, reason, message })
  }, before ?? [])
}

interface Row {
  readonly type: string
  readonly holds: boolean
  /** Reason and message while it holds, and when it does not. */
  readonly yes: readonly [string, string]
  readonly no: readonly [string, string]
}

function rows({ left, undiscovered, unreadable }: Attempt): Row[] {
  return [
    {
      type: 'NamespaceDeletionDiscoveryFailure',
      holds: undiscovered.length > 0,
      yes: [
        'DiscoveryFailed',
        `Discovery failed for some groups, ${undiscovered.length} failing: ${undiscoveredText(undiscovered)}`,
      ],
      no: ['ResourcesDiscovered', 'All resources successfully discovered'],
    },
    {
      type: 'NamespaceDeletionGroupVersionParsingFailure',
      holds: unreadable.length > 0,
      yes: ['GroupVersionParsingFailed', unreadable.join(', ')],
      no: ['ParsedGroupVersions', 'All legacy kube types successfully parsed'],
    },
    {
      type: 'NamespaceDeletionContentFailure',
      holds: left.failures.length > 0,
      yes: [
        'ContentDeletionFailed',
        `Failed to delete all resource types, ${left.failures.length} remaining: ${left.failures.toSorted().join(', ')}`,
      ],
      no: ['ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
    },
    {
      type: 'NamespaceContentRemaining',
      holds: left.remaining.size > 0,
      yes: [
        'SomeResourcesRemain',
        `Some resources are remaining: ${counts(left.remaining, (name, count) => `${name} has ${count} resource instances`)}`,
      ],
      no: ['ContentRemoved', 'All content successfully removed'],
    },
    {
      type: 'NamespaceFinalizersRemaining',
      holds: left.finalizers.size > 0,
      yes: [
        'SomeFinalizersRemain',
        `Some content in the namespace has finalizers remaining: ${counts(left.finalizers, (name, count) => `${name} in ${count} resource instances`)}${whatToDo(left)}`,
      ],
      no: ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
    },
  ]
}

// Nothing that exists outside goes without somebody's approval, so that the namespace waits for a plan.
function whatToDo({ finalizers }: ContentLeft): string {
  if (!finalizers.has(managedFinalizer)) return ''
  return '; what exists outside goes by a plan: make one in this namespace (hykube plan) and approve it'
}

function undiscoveredText(failures: readonly DiscoveryFailure[]): string {
  return failures
    .map(({ groupVersion, message }) => `${groupVersion}: ${message}`)
    .sort()
    .join(', ')
}

function counts(map: ReadonlyMap<string, number>, text: (name: string, count: number) => string): string {
  return [...map]
    .map(([name, count]) => text(name, count))
    .sort()
    .join(', ')
}
