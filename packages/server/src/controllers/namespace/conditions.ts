import { timeToText } from '@hykube/machinery/amounts'
import { type Condition, withCondition } from '@hykube/machinery/object'
import type { DiscoveryFailure } from '@hykube/runtime/client'
import { managedFinalizer, type RemainingContent } from './content.ts'

/** Result of an attempt to empty a namespace. */
export interface Attempt {
  readonly left: RemainingContent
  readonly undiscovered: readonly DiscoveryFailure[]
  /** Group versions that could not be parsed. */
  readonly unreadable: readonly string[]
}

/** Returns true when the namespace can be removed. */
export function isEmptied({ left, undiscovered, unreadable }: Attempt): boolean {
  return left.remaining.size + left.failures.length + undiscovered.length + unreadable.length === 0
}

/**
 * Returns the conditions of a terminating namespace with Kubernetes' types, reasons and messages. The same list when
 * nothing changed.
 */
export function terminationConditions(
  namespace: string,
  before: readonly Condition[] | undefined,
  { left, undiscovered, unreadable }: Attempt,
  now: number,
): readonly Condition[] {
  const lastTransitionTime = timeToText(now)
  return rows(namespace, { left, undiscovered, unreadable }).reduce<readonly Condition[]>((conditions, row) => {
    const [status, [reason, message]] = row.holds ? (['True', row.yes] as const) : (['False', row.no] as const)
    return withCondition(conditions, { type: row.type, status, lastTransitionTime, reason, message })
  }, before ?? [])
}

interface Row {
  readonly type: string
  readonly holds: boolean
  /** Reason and message for status True and False. */
  readonly yes: readonly [string, string]
  readonly no: readonly [string, string]
}

function rows(namespace: string, { left, undiscovered, unreadable }: Attempt): Row[] {
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
        `Some content in the namespace has finalizers remaining: ${counts(left.finalizers, (name, count) => `${name} in ${count} resource instances`)}${planHint(namespace, left)}`,
      ],
      no: ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
    },
  ]
}

// Real resources are destroyed only by an approved plan, for which the namespace waits.
function planHint(namespace: string, { finalizers }: RemainingContent): string {
  if (!finalizers.has(managedFinalizer)) return ''
  return `; real resources are destroyed by a plan: run "hykube apply -n ${namespace}"`
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
