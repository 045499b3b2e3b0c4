import { type Condition, timeToText, withCondition } from '@hykube/machinery/object'
import type { ProviderObject } from '../provider/index.ts'
import type { ObjectPlace, ObjectStore } from '../resource/index.ts'
import { type ProviderEvent, recordProviderEvent } from './provider-events.ts'

/** Where Providers are kept. */
export const providerPlace = { group: 'hykube.io', resource: 'providers' } as const

export type ProviderStatus = NonNullable<ProviderObject['status']>

export interface ProviderStatusChange {
  readonly lock?: NonNullable<ProviderStatus['lock']>
  readonly types?: number
  /** The generation of the object that the conditions tell of. */
  readonly generation?: number | undefined
  readonly conditions: readonly Pick<Condition, 'type' | 'status' | 'reason' | 'message'>[]
}

/** Tells how a Provider stands, on what is there now, and what is new in Events; nothing is written when nothing is new. */
export async function tellProvider(
  objects: ObjectStore,
  place: ObjectPlace,
  uid: string,
  { conditions, generation, ...rest }: ProviderStatusChange,
  now: number,
): Promise<void> {
  let events: readonly ProviderEvent[] = []
  await objects.update(providerPlace, place, (object: ProviderObject) => {
    if (object.metadata?.uid !== uid) return undefined
    const status = changed(object.status ?? {}, rest, conditions, generation, now)
    events = status === object.status ? [] : newEvents(object.status?.conditions, conditions)
    return status === object.status ? undefined : { ...object, status }
  })
  for (const event of events) await recordProviderEvent(objects, place, uid, event, now)
}

// Installed and Ready may have one reason, which is told once.
function newEvents(
  before: readonly Condition[] | undefined,
  facts: ProviderStatusChange['conditions'],
): readonly ProviderEvent[] {
  const isNew = ({ type, reason, message }: (typeof facts)[number]) =>
    !before?.some((each) => each.type === type && each.reason === reason && each.message === message)
  const events = facts.filter(isNew).map(
    ({ status, reason, message }): ProviderEvent => ({
      type: status === 'False' && !underWay.has(reason) ? 'Warning' : 'Normal',
      reason,
      message,
    }),
  )
  return events.filter(({ message }, at) => events.findIndex((each) => each.message === message) === at)
}

const underWay: ReadonlySet<string> = new Set(['Installing'])

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
