import { isUnknown, type Value, valueAt } from '@hykube/tfplugin/value'
import type { AccessSession } from '../evaluation/index.ts'
import { defaultLifecycle, type InstanceState, type ResourceKind } from '../model/index.ts'
import { type PlannedChange, type PlannedInstance, planInstance, type ResourceInstance } from '../terraform/index.ts'
import { Candidate } from './candidate.ts'
import type { ConfigurableChoice } from './configurable-part.ts'
import { adviceOf } from './error-advice.ts'
import { type CandidateAnswer, changedNames, remainingChanges } from './remaining-changes.ts'

/** The part of imported states that counts as configuration. */
export interface InferredConfiguration {
  readonly choice: ConfigurableChoice
  /** Texts about each attribute that a plan would still change; empty when the provider plans no change. */
  readonly changes: readonly string[]
}

/**
 * Finds a small configuration with which the provider plans no change for imported states. A state does not record which values were
 * configured, so the provider is asked: first about required values and optional ones that are not computed, then with what its
 * errors and plans ask for.
 */
export async function inferConfiguration(
  kind: ResourceKind,
  instance: ResourceInstance,
  states: readonly InstanceState[],
  session: Pick<AccessSession, 'port' | 'generateConfig'>,
): Promise<InferredConfiguration> {
  const samples = sampleOf(states)
  const { block } = kind.schema
  const candidate = new Candidate(
    block,
    samples.map(({ value }) => value),
    await generatedConfigs(kind, samples, session),
  )
  for (let round = 1; ; round++) {
    const answers = await Promise.all(samples.map((prior) => answerOf(instance, prior, candidate, session)))
    const open = answers.filter(({ planned }) => planned.kind !== 'planned' || planned.action !== 'noop')
    if (open.length === 0 || round === mostRounds || !learnFrom(kind, open, candidate)) {
      const changes = new Set(open.flatMap((each) => remainingChanges(kind.schema, each)))
      return { choice: candidate, changes: [...changes] }
    }
  }
}

const mostRounds = 8

// A sample is enough, because the next plan asks the provider about every instance.
function sampleOf(states: readonly InstanceState[]): readonly InstanceState[] {
  const step = Math.max(1, Math.floor(states.length / mostAsked))
  return states.filter((_, i) => i % step === 0)
}

// Bounds the calls per round.
const mostAsked = 16

async function generatedConfigs(
  { type }: ResourceKind,
  samples: readonly InstanceState[],
  { generateConfig }: Pick<AccessSession, 'generateConfig'>,
): Promise<readonly Value[]> {
  const configs = await Promise.all(samples.map(({ value }) => generateConfig?.(type, value)))
  return configs.filter((config) => config !== undefined)
}

async function answerOf(
  instance: ResourceInstance,
  prior: InstanceState,
  candidate: Candidate,
  { port }: Pick<AccessSession, 'port'>,
): Promise<CandidateAnswer> {
  const config = candidate.configurationOf(prior.value)
  // Sensitive values of the spec are references to a Secret.
  const configSensitive = prior.sensitivePaths.filter((path) => (valueAt(config, path) ?? null) !== null)
  const input = { ...instance, config, configSensitive, lifecycle: defaultLifecycle, prior }
  return { prior, planned: await planInstance(input, port) }
}

// Returns false when the answers give no reason to change the candidate. Each attribute is added or left out once per round, because
// several instances may ask for the same, and a provider may report "a conflicts with b" and "b conflicts with a".
function learnFrom(kind: ResourceKind, answers: readonly CandidateAnswer[], candidate: Candidate): boolean {
  const touched = new Set<string>()
  for (const answer of answers)
    if (answer.planned.kind === 'planned') addChanged(kind, answer.prior, answer.planned, candidate, touched)
    else followErrors(kind, answer.planned, candidate, touched)
  return touched.size > 0
}

// A value that becomes unknown may follow from another change, so known changes are resolved first. Of a replacement only the
// attributes that force it are resolved, because it changes every computed value.
function addChanged(
  { schema }: ResourceKind,
  prior: InstanceState,
  planned: PlannedChange,
  candidate: Candidate,
  touched: Set<string>,
): void {
  const changed = changedNames(schema, prior, planned)
  const forcing = planned.requiredReplace.flatMap(([first]) => (first?.kind === 'attribute' ? [first.name] : []))
  const isOpen = (name: string) => isUnknown((planned.after as Readonly<Record<string, Value>>)[name] ?? null)
  const known = changed.filter((name) => !isOpen(name))
  for (const names of forcing.length > 0 ? [forcing] : [known, changed.filter(isOpen)]) {
    const added = names.filter((name) => touched.has(name) || candidate.add(name))
    for (const name of added) touched.add(name)
    if (added.length > 0) return
  }
}

function followErrors(
  { schema }: ResourceKind,
  { diagnostics }: Pick<PlannedInstance, 'diagnostics'>,
  candidate: Candidate,
  touched: Set<string>,
): void {
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity !== 'error') continue
    const { kind, names } = adviceOf(schema.block, diagnostic)
    if (names.some((name) => touched.has(name))) continue
    const followed =
      kind === 'few' || kind === 'all' ? addMissing(kind, names, candidate) : refuseOne(kind, names, candidate)
    if (followed) for (const name of names) touched.add(name)
  }
}

// Attributes that belong to others without a value in the state are left out together with them.
function addMissing(kind: 'few' | 'all', names: readonly string[], candidate: Candidate): boolean {
  const tops = names.map((name) => name.split('.')[0]!)
  const missing = tops.filter((name, i) => (name !== names[i] || !candidate.has(name)) && candidate.canAdd(name))
  const added = (kind === 'few' ? missing.slice(0, 1) : missing).filter((name) => candidate.add(name))
  if (added.length > 0) return true
  return kind === 'all' && names.filter((name) => candidate.has(name) && candidate.refuse(name)).length > 0
}

function refuseOne(kind: 'many' | 'wrong', names: readonly string[], candidate: Candidate): boolean {
  const given = names.filter((name) => name.includes('.') || candidate.has(name))
  // The error names the attribute first that it is reported for; of several attributes, the last is left out.
  const order = kind === 'wrong' ? given.slice(0, 1) : given.toReversed()
  return order.some((name) => candidate.refuse(name))
}
