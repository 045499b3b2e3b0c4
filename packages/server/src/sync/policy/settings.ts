import { DurationError, durationFromText } from '@hykube/machinery/amounts'
import type { KubernetesObject } from '@hykube/machinery/object'
import { type LabelSelector, labelSelectorFromObject, SelectorError } from '@hykube/machinery/selector'
import type { StatusCause } from '@hykube/machinery/status'
import type { SyncLimits, SyncMode, SyncPolicySpec, SyncTrigger } from '@hykube/machinery/sync-api'
import { findOverlap, Window, WindowError } from './windows.ts'

/** The spec of a policy with defaults, parsed. Durations are in milliseconds. */
export interface PolicySettings {
  readonly mode: SyncMode
  readonly selector: LabelSelector
  readonly namespaceSelector: LabelSelector
  /** Terraform types; empty for all of them. */
  readonly kinds: ReadonlySet<string>
  readonly triggers: ReadonlySet<SyncTrigger>
  readonly every: number
  readonly settle: number
  readonly windows: readonly Window[]
  readonly limits: Required<Omit<SyncLimits, 'perMinute'>> & Pick<SyncLimits, 'perMinute'>
  readonly serviceAccountName?: string
  readonly suspend: boolean
}

export const defaultLimits = { changes: 100, deletes: 0, replaces: 0 } as const

/** The settings of `lifecycle.sync` of an object, which has no policy to say more. */
export function settingsOfMode(mode: SyncMode): PolicySettings {
  return settingsOf({ spec: { mode } })
}

/** Parses the spec of a policy that was validated when it was written. */
export function settingsOf(policy: KubernetesObject): PolicySettings {
  const { spec } = policy as { spec: SyncPolicySpec }
  const { mode, selector = {}, namespaceSelector = {}, kinds = [], on = ['Edit', 'Drift'], suspend = false } = spec
  const { every = '1h', settle = '30s', windows = [], limits = {}, serviceAccountName } = spec
  return {
    mode,
    selector: labelSelectorFromObject(selector),
    namespaceSelector: labelSelectorFromObject(namespaceSelector),
    kinds: new Set(kinds),
    triggers: new Set(on),
    every: milliseconds(every),
    settle: milliseconds(settle),
    windows: windows.map((window) => new Window(window)),
    limits: { ...defaultLimits, ...limits },
    suspend,
    ...(serviceAccountName !== undefined && { serviceAccountName }),
  }
}

/** Problems of a policy's spec that its schema can't express. `now` decides which openings of windows are compared. */
export function policyProblems({ spec }: KubernetesObject, now: number): StatusCause[] {
  const {
    selector,
    namespaceSelector,
    every,
    settle,
    windows = [],
    limits = {},
    notify,
  } = (spec ?? {}) as SyncPolicySpec
  const problems = new Problems()
  if (notify !== undefined) problems.add('notify', notify, 'this server does not support notifications')
  for (const [field, value] of Object.entries({ selector, namespaceSelector }))
    problems.attempt(field, value ?? {}, () => labelSelectorFromObject(value ?? {}))
  problems.duration('every', every, 60_000)
  problems.duration('settle', settle, 0)
  const parsed = windows.map((window, index) => problems.window(`windows[${index}]`, window))
  const overlap = parsed.every((window) => window !== undefined) ? findOverlap(parsed, now) : undefined
  if (overlap !== undefined) problems.overlap(...overlap)
  const { changes = defaultLimits.changes } = limits
  for (const field of ['deletes', 'replaces'] as const)
    if ((limits[field] ?? 0) > changes)
      problems.add(`limits.${field}`, limits[field], `must not exceed limits.changes (${changes})`)
  return problems.causes
}

class Problems {
  readonly causes: StatusCause[] = []

  add(field: string, value: unknown, problem: string): void {
    const shown = JSON.stringify(value)
    this.causes.push({
      reason: 'FieldValueInvalid',
      field: `spec.${field}`,
      message: `Invalid value: ${shown}: ${problem}`,
    })
  }

  attempt<T>(field: string, value: unknown, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof SelectorError || error instanceof DurationError)) throw error
      this.add(field, value, error.message)
      return undefined
    }
  }

  duration(field: string, text: string | undefined, least: number): void {
    if (text === undefined) return
    const time = this.attempt(field, text, () => milliseconds(text))
    if (time !== undefined && time < least) this.add(field, text, `must be at least ${least / 1000}s`)
    if (time !== undefined && time > longest) this.add(field, text, 'must be at most 8760h (a year)')
  }

  window(field: string, window: ConstructorParameters<typeof Window>[0]): Window | undefined {
    return this.attempt(`${field}.for`, window.for, () => {
      try {
        return new Window(window)
      } catch (error) {
        if (!(error instanceof WindowError)) throw error
        this.add(`${field}.${error.field}`, window[error.field], error.message)
        return undefined
      }
    })
  }

  overlap(first: number, second: number): void {
    const problem =
      first === second ? 'opens again before it is closed' : `is open while spec.windows[${first}] is open`
    const field = `spec.windows[${second}]`
    this.causes.push({ reason: 'FieldValueInvalid', field, message: `Invalid value: ${problem}` })
  }
}

const longest = 365 * 86_400_000

function milliseconds(text: string): number {
  return Number(durationFromText(text) / 1_000_000n)
}
