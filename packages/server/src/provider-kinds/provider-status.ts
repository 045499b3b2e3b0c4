import { timeToText } from '@hykube/machinery/amounts'
import { type Condition, withCondition } from '@hykube/machinery/object'
import type { ProviderObject } from '../provider/index.ts'
import type { ObjectLocation, ObjectStore } from '../resource/index.ts'
import { type ProviderEvent, recordProviderEvent } from './provider-events.ts'

/** The resource of Providers. */
export const providerResource = { group: 'hykube.io', resource: 'providers' } as const

export type ProviderStatus = NonNullable<ProviderObject['status']>

export interface ProviderStatusChange {
  readonly lock?: NonNullable<ProviderStatus['lock']>
  readonly types?: number
  /** The generation that the conditions describe. */
  readonly generation?: number | undefined
  readonly conditions: readonly Pick<Condition, 'type' | 'status' | 'reason' | 'message'>[]
}

/** Writes the status of a Provider, and an Event for each new condition. Writes nothing when nothing changes. */
export async function writeProviderStatus(
  objects: ObjectStore,
  place: ObjectLocation,
  uid: string,
  { conditions, generation, ...rest }: ProviderStatusChange,
  now: number,
): Promise<void> {
  let events: readonly ProviderEvent[] = []
  await objects.update(providerResource, place, (object: ProviderObject) => {
    if (object.metadata?.uid !== uid) return undefined
    const status = changed(object.status ?? {}, rest, conditions, generation, now)
    events = status === object.status ? [] : newEvents(object.status?.conditions, conditions)
    return status === object.status ? undefined : { ...object, status }
  })
  for (const event of events) await recordProviderEvent(objects, place, uid, event, now)
}

// Installed and Ready may have the same message, which makes one Event.
function newEvents(
  before: readonly Condition[] | undefined,
  facts: ProviderStatusChange['conditions'],
): readonly ProviderEvent[] {
  const isNew = ({ type, reason, message }: (typeof facts)[number]) =>
    !before?.some((each) => each.type === type && each.reason === reason && each.message === message)
  const events = facts.filter(isNew).map(
    ({ status, reason, message }): ProviderEvent => ({
      type: status === 'False' && !inProgress.has(reason) ? 'Warning' : 'Normal',
      reason,
      message,
    }),
  )
  return events.filter(({ message }, at) => events.findIndex((each) => each.message === message) === at)
}

const inProgress: ReadonlySet<string> = new Set(['Installing'])

function changed(
  status: ProviderStatus,
  rest: Omit<ProviderStatusChange, 'conditions' | 'generation'>,
  facts: ProviderStatusChange['conditions'],
  generation: number | undefined,
  now: number,
): ProviderStatus {
  const lastTransitionTime = timeToText(now)
  const conditions = facts.reduce<readonly Condition[] | undefined>(
    (all, each) =>
      withCondition(all, {
        ...each,
        lastTransitionTime,
        ...(generation !== undefined && { observedGeneration: generation }),
      }),
    status.conditions,
  )
  const isSame =
    conditions === status.conditions &&
    (rest.types === undefined || rest.types === status.types) &&
    (rest.lock === undefined || JSON.stringify(rest.lock) === JSON.stringify(status.lock))
  return isSame ? status : { ...status, ...rest, ...(conditions !== undefined && { conditions }) }
}
