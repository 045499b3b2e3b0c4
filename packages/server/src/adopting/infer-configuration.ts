import { equalValues, isObject, isUnknown, type Value } from '@hykube/tfplugin/value'
import type { AccessSession } from '../evaluation/index.ts'
import { defaultLifecycle, type InstanceState, type ResourceKind } from '../model/index.ts'
import { planInstance, type ResourceInstance } from '../terraform/index.ts'
import { type ConfigurableChoice, configurablePart, sharedAttributes } from './configurable-part.ts'

/** The part of imported states that counts as configuration. */
export interface InferredConfiguration {
  readonly choice: ConfigurableChoice
  /** True when the provider plans no change for the states with this configuration. */
  readonly plansNoChange: boolean
}

/**
 * Finds the smallest configuration with which the provider plans no change for imported states. A state doesn't record which values
 * were configured, so candidates are tried in order: without values that the provider chooses by itself for a new object, with every
 * configurable value, and with empty strings as well.
 */
export async function inferConfiguration(
  kind: ResourceKind,
  instance: ResourceInstance,
  states: readonly InstanceState[],
  { port }: AccessSession,
): Promise<InferredConfiguration> {
  const [first] = states
  const all: ConfigurableChoice = { keep: 'all', emptyStrings: false }
  if (first === undefined) return { choice: all, plansNoChange: true }
  const keep = await setByUser(kind, instance, states, port)
  const smallest: ConfigurableChoice = { keep, emptyStrings: false }
  const sample = sampleOf(states)
  for (const choice of [smallest, all, { ...all, emptyStrings: true }]) {
    const results = await Promise.all(sample.map((state) => plansNoChange(kind, instance, state, choice, port)))
    if (results.every(Boolean)) return { choice, plansNoChange: true }
  }
  return { choice: smallest, plansNoChange: false }
}

// A sample is enough here, because the next plan asks the provider about every instance.
function sampleOf(states: readonly InstanceState[]): readonly InstanceState[] {
  const step = Math.max(1, Math.floor(states.length / mostAsked))
  return states.filter((_, i) => i % step === 0)
}

// Bounds the calls per candidate; three candidates make at most 48.
const mostAsked = 16

// Of the optional and computed attributes, returns those with a value that the provider would not choose for a new object: the
// provider plans a new object without them, and an attribute that is unknown or equal in that plan was probably not configured.
async function setByUser(
  { schema }: ResourceKind,
  instance: ResourceInstance,
  states: readonly InstanceState[],
  port: AccessSession['port'],
): Promise<ReadonlySet<string> | 'all'> {
  const { value } = states[0]!
  const hasValue = (name: string) => states.some((state) => partOf(state.value, name) !== null)
  const shared = sharedAttributes(schema.block).filter(hasValue)
  if (shared.length === 0) return new Set()
  const config = configurablePart(schema.block, value, { keep: new Set(), emptyStrings: false })
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

async function plansNoChange(
  { schema }: ResourceKind,
  instance: ResourceInstance,
  prior: InstanceState,
  choice: ConfigurableChoice,
  port: AccessSession['port'],
): Promise<boolean> {
  const config = configurablePart(schema.block, prior.value, choice)
  const input = { ...instance, config, configSensitive: [], lifecycle: defaultLifecycle, prior }
  const planned = await planInstance(input, port)
  return planned.kind === 'planned' && planned.action === 'noop'
}
