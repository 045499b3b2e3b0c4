import {
  equalValues,
  isUnknown,
  type Path,
  samePath,
  unknown,
  type Value,
  type ValueObject,
} from '@hykube/tfplugin/value'
import { partsOf, readPart, writePart } from './content-values.ts'
import { memoizeByContent } from './memoize-by-content.ts'
import type { AttributeSpec } from './schema/attribute.ts'
import type { BlockSpec } from './schema/block.ts'
import { contentOf } from './schema/element-type.ts'
import type { Content } from './schema/schema.ts'
import { type PlanValues, type Position, transformContent, type Visit } from './transform-content.ts'

/** The input of planning a create or update. */
export interface PlanInput {
  readonly config: ValueObject
  /** Null when the object is created. */
  readonly prior: ValueObject | null
  /** The host's proposed new state: the configuration, with computed values from the state where it is null. */
  readonly proposed: ValueObject
}

export interface PlanResult {
  readonly planned: ValueObject
  /** The attributes and blocks whose change replaces the object. */
  readonly requiresReplace: readonly Path[]
}

/**
 * Plans a change by the schema alone, in this order: set defaults; if the result equals the prior state, plan no change;
 * otherwise make computed values without configuration unknown, except for `useStateForUnknown`; then run `modifyPlan` of
 * the attributes. Write-only values are removed from the plan.
 */
export function planBySchema(content: Content, { config, prior, proposed }: PlanInput): PlanResult {
  const values = (planned: ValueObject) => ({ planned, config, prior })
  const desired = withoutWriteOnly(content, transformContent(content, values(proposed), setDefaults))
  if (prior !== null && equalValues(desired, prior)) return { planned: desired, requiresReplace: [] }
  const open = transformContent(content, values(desired), makeComputedUnknown)
  const requiresReplace: Path[] = []
  const planned = transformContent(content, values(open), modifyWith(prior === null, requiresReplace))
  return { planned: withoutWriteOnly(content, planned), requiresReplace }
}

/** Returns a configuration with its defaults, for data sources and other calls without a plan. */
export function withDefaults(content: Content, config: ValueObject): ValueObject {
  return transformContent(content, { planned: config, config, prior: null }, setDefaults)
}

/** Returns the values with write-only attributes set to null. */
export function withoutWriteOnly(content: Content, planned: ValueObject): ValueObject {
  if (!hasWriteOnly(content)) return planned
  return transformContent(content, { planned, config: planned, prior: null }, (spec, values) =>
    spec.kind === 'attribute' && spec.options.writeOnly ? null : values.planned,
  )
}

/** Returns the top-level attributes and blocks that differ, for a type without update. */
export function changedParts(content: Content, planned: ValueObject, prior: ValueObject): Path[] {
  return partsOf(content).flatMap(([name]): Path[] =>
    equalValues(planned[name] ?? null, prior[name] ?? null) ? [] : [[{ kind: 'attribute', name }]],
  )
}

/** Adds a path unless it is already present. */
export function addPath(paths: Path[], path: Path): void {
  if (!paths.some((known) => samePath(known, path))) paths.push(path)
}

const setDefaults: Visit = (spec, values, position) =>
  spec.kind === 'attribute' && 'default' in spec.options && isUnset(values, position)
    ? writePart(spec, spec.options.default)
    : values.planned

const makeComputedUnknown: Visit = (spec, values, position) =>
  spec.kind === 'attribute' && spec.options.computed && !('default' in spec.options) && isUnset(values, position)
    ? unknown
    : values.planned

// Inside of a container that came from a default or from the provider, values that are set are not overwritten.
function isUnset({ planned, config }: PlanValues, { given }: Position): boolean {
  return config === null && (given || planned === null)
}

// Applies modifyPlan and collects the paths with requiresReplace. A write-only value never replaces: its prior is null.
function modifyWith(creating: boolean, requiresReplace: Path[]): Visit {
  return (spec, values, { path }: Position) => {
    const planned = spec.kind === 'attribute' ? modifyAttribute(spec, values, creating) : values.planned
    const replaces = spec.options.requiresReplace === true && !isWriteOnly(spec)
    if (replaces && !creating && !equalValues(planned, values.prior)) addPath(requiresReplace, path)
    return planned
  }
}

function modifyAttribute(spec: AttributeSpec, { planned, config, prior }: PlanValues, creating: boolean): Value {
  const { useStateForUnknown, modifyPlan } = spec.options
  const kept = useStateForUnknown && isUnknown(planned) && !isUnknown(config) && prior !== null ? prior : planned
  if (modifyPlan === undefined) return kept
  const change = {
    config: readPart(spec, config),
    prior: readPart(spec, prior),
    planned: readPart(spec, kept),
    creating,
  }
  return writePart(spec, spec.options.modifyPlan!(change))
}

const hasWriteOnly: (content: Content) => boolean = memoizeByContent((content) =>
  partsOf(content).some(([, spec]) => {
    const inner = contentOf(spec)
    return isWriteOnly(spec) || (inner !== undefined && hasWriteOnly(inner))
  }),
)

function isWriteOnly(spec: AttributeSpec | BlockSpec): boolean {
  return spec.kind === 'attribute' && spec.options.writeOnly === true
}
