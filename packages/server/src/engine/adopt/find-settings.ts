import { equalValues, isObject, isUnknown, type Value } from '@hykube/tfplugin/value'
import {
  type AccessSession,
  defaultLifecycle,
  type InstanceState,
  type NodeKind,
  planInstance,
  type ResourceInstance,
} from '../../plan/index.ts'
import { type Settable, settablePart, sharedAttributes } from './settable-part.ts'

/** What of states counts as set by a person. */
export interface FoundSettings {
  readonly settable: Settable
  /** Whether the provider plans no change from it. */
  readonly isQuiet: boolean
}

/**
 * Finds the smallest part of states from which the provider plans exactly these states: first without what it would choose
 * by itself for a new object, then with everything that can be set.
 */
export async function findSettings(
  kind: NodeKind,
  instance: ResourceInstance,
  states: readonly InstanceState[],
  { port }: AccessSession,
): Promise<FoundSettings> {
  const [first] = states
  const all: Settable = { keep: 'all', emptyTexts: false }
  if (first === undefined) return { settable: all, isQuiet: true }
  const keep = await chosenByHand(kind, instance, states, port)
  const smallest: Settable = { keep, emptyTexts: false }
  const sample = sampleOf(states)
  for (const settable of [smallest, all, { ...all, emptyTexts: true }]) {
    const quiet = await Promise.all(sample.map((state) => isQuiet(kind, instance, state, settable, port)))
    if (quiet.every(Boolean)) return { settable, isQuiet: true }
  }
  return { settable: smallest, isQuiet: false }
}

// Of many instances some are asked for; the next plan asks for all.
function sampleOf(states: readonly InstanceState[]): readonly InstanceState[] {
  const step = Math.max(1, Math.floor(states.length / mostAsked))
  return states.filter((_, i) => i % step === 0)
}

const mostAsked = 16

// Of what both may set: all but what the provider chooses alike, or leaves open, for a new object.
async function chosenByHand(
  { schema }: NodeKind,
  instance: ResourceInstance,
  states: readonly InstanceState[],
  port: AccessSession['port'],
): Promise<ReadonlySet<string> | 'all'> {
  const { value } = states[0]!
  const isThere = (name: string) => states.some((state) => partOf(state.value, name) !== null)
  const shared = sharedAttributes(schema.block).filter(isThere)
  if (shared.length === 0) return new Set()
  const config = settablePart(schema.block, value, { keep: new Set(), emptyTexts: false })
  const planned = await planInstance({ ...instance, config, configSensitive: [], lifecycle: defaultLifecycle }, port)
  if (planned.kind !== 'planned' || !isObject(planned.after)) return 'all'
  const { after } = planned
  return new Set(
    shared.filter((name) => {
      const planned = after[name] ?? null
      return !isUnknown(planned) && !states.every((state) => equalValues(partOf(state.value, name), planned))
    }),
  )
}

function partOf(value: Value, name: string): Value {
  return isObject(value) ? (value[name] ?? null) : null
}

async function isQuiet(
  { schema }: NodeKind,
  instance: ResourceInstance,
  prior: InstanceState,
  settable: Settable,
  port: AccessSession['port'],
): Promise<boolean> {
  const config = settablePart(schema.block, prior.value, settable)
  const input = { ...instance, config, configSensitive: [], lifecycle: defaultLifecycle, prior }
  const planned = await planInstance(input, port)
  return planned.kind === 'planned' && planned.action === 'noop'
}
