import {
  equalValues,
  isUnknown,
  type Path,
  samePath,
  unknown,
  type Value,
  type ValueObject,
} from '@hykube/tfplugin/value'
import type { AttributeSpec } from './attribute.ts'
import type { BlockSpec } from './block.ts'
import { partsOf, writeContent } from './content-values.ts'
import { within } from './misfit.ts'
import type { Content } from './schema.ts'
import { type Spot, type Strands, transformContent, type Visit } from './transform-content.ts'
import { readValue, writeValue } from './value-type.ts'

/** A change that is being planned; neither the configuration nor what is proposed is null. */
export interface PlanInput {
  readonly config: ValueObject
  /** Null when the object is created. */
  readonly prior: ValueObject | null
  /** What the host proposes: the configuration, with computed values of the state where it says nothing. */
  readonly proposed: ValueObject
}

export interface PlanResult {
  readonly planned: ValueObject
  /** What can't be changed in place. */
  readonly requiresReplace: readonly Path[]
}

/**
 * What the schema alone says about a change. Defaults are filled in; if then anything differs from the state, computed
 * values that the configuration leaves open are unknown, unless they keep the value of the state. If nothing differs the
 * plan is the state.
 */
export function planBySchema(content: Content, { config, prior, proposed }: PlanInput): PlanResult {
  const strands = (planned: ValueObject) => ({ planned, config, prior })
  const wanted = withoutWriteOnly(content, transformContent(content, strands(proposed), fillDefaults))
  if (prior !== null && equalValues(wanted, prior)) return { planned: wanted, requiresReplace: [] }
  const open = transformContent(content, strands(wanted), openComputed)
  const requiresReplace: Path[] = []
  const planned = transformContent(content, strands(open), modifyWith(prior === null, requiresReplace))
  return { planned: withoutWriteOnly(content, planned), requiresReplace }
}

/** A configuration with its defaults, for what is never planned. */
export function withDefaults(content: Content, config: ValueObject): ValueObject {
  return transformContent(content, { planned: config, config, prior: null }, fillDefaults)
}

/** The values without those that must not be kept. */
export function withoutWriteOnly(content: Content, planned: ValueObject): ValueObject {
  return transformContent(content, { planned, config: planned, prior: null }, (spec, strands) =>
    spec.kind === 'attribute' && spec.options.writeOnly ? null : strands.planned,
  )
}

/** The attributes and blocks that differ, for a type that can't be updated. */
export function changedParts(content: Content, planned: ValueObject, prior: ValueObject): Path[] {
  return partsOf(content).flatMap(([name]): Path[] =>
    equalValues(planned[name] ?? null, prior[name] ?? null) ? [] : [[{ kind: 'attribute', name }]],
  )
}

/** Adds a path unless it is there. */
export function addPath(paths: Path[], path: Path): void {
  if (!paths.some((known) => samePath(known, path))) paths.push(path)
}

const fillDefaults: Visit = (spec, { planned, config }) =>
  spec.kind === 'attribute' && 'default' in spec.options && config === null ? defaultOf(spec) : planned

const openComputed: Visit = (spec, { planned, config }) =>
  spec.kind === 'attribute' && spec.options.computed === true && !('default' in spec.options) && config === null
    ? unknown
    : planned

function modifyWith(creating: boolean, requiresReplace: Path[]): Visit {
  return (spec, strands, { path }: Spot) => {
    const planned = spec.kind === 'attribute' ? modifyAttribute(spec, strands, creating) : strands.planned
    const replaces = spec.options.requiresReplace === true && !isWriteOnly(spec)
    if (replaces && !creating && !equalValues(planned, strands.prior)) addPath(requiresReplace, path)
    return planned
  }
}

function modifyAttribute(spec: AttributeSpec, { planned, config, prior }: Strands, creating: boolean): Value {
  const { useStateForUnknown, modifyPlan } = spec.options
  const kept = useStateForUnknown && isUnknown(planned) && !isUnknown(config) && prior !== null ? prior : planned
  if (modifyPlan === undefined || spec.shape.kind !== 'plain') return kept
  const { of } = spec.shape
  const read = (value: Value) => readValue(of, value) as never
  return writeValue(
    of,
    spec.options.modifyPlan!({ config: read(config), prior: read(prior), planned: read(kept), creating }),
  )
}

function isWriteOnly(spec: AttributeSpec | BlockSpec): boolean {
  return spec.kind === 'attribute' && spec.options.writeOnly === true
}

function defaultOf({ shape, options }: AttributeSpec): Value {
  if (shape.kind === 'plain') return writeValue(shape.of, options.default)
  return within('default', () => nestedDefault(shape, options.default))
}

function nestedDefault(shape: Extract<AttributeSpec['shape'], { kind: 'nested' }>, given: unknown): Value {
  const spec: AttributeSpec = { kind: 'attribute', shape, options: {} }
  return writeContent({ attributes: { it: spec }, blocks: {} }, { it: given }).it!
}
