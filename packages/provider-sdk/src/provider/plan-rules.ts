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
import { partsOf, readPart, writePart } from './content-values.ts'
import { contentOf } from './element-type.ts'
import { oncePerContent } from './once-per-content.ts'
import type { Content } from './schema.ts'
import { type Spot, type Strands, transformContent, type Visit } from './transform-content.ts'

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

/** The values, which are whole, without those that must not be kept. */
export function withoutWriteOnly(content: Content, planned: ValueObject): ValueObject {
  if (!hasWriteOnly(content)) return planned
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

const fillDefaults: Visit = (spec, strands, spot) =>
  spec.kind === 'attribute' && 'default' in spec.options && isLeftOpen(strands, spot)
    ? writePart(spec, spec.options.default)
    : strands.planned

const openComputed: Visit = (spec, strands, spot) =>
  spec.kind === 'attribute' && spec.options.computed && !('default' in spec.options) && isLeftOpen(strands, spot)
    ? unknown
    : strands.planned

// What a default gave as a whole is not given again in parts.
function isLeftOpen({ planned, config }: Strands, { given }: Spot): boolean {
  return config === null && (given || planned === null)
}

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
  if (modifyPlan === undefined) return kept
  const change = {
    config: readPart(spec, config),
    prior: readPart(spec, prior),
    planned: readPart(spec, kept),
    creating,
  }
  return writePart(spec, spec.options.modifyPlan!(change))
}

const hasWriteOnly: (content: Content) => boolean = oncePerContent((content) =>
  partsOf(content).some(([, spec]) => {
    const inner = contentOf(spec)
    return isWriteOnly(spec) || (inner !== undefined && hasWriteOnly(inner))
  }),
)

function isWriteOnly(spec: AttributeSpec | BlockSpec): boolean {
  return spec.kind === 'attribute' && spec.options.writeOnly === true
}
