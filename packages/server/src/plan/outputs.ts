import type { JsonObject } from '@hykube/machinery/json'
import {
  impliedType,
  isUnknown,
  isWhollyKnown,
  type Path,
  type Schema,
  type Value,
  valueAt,
  valueFromJson,
  valueObject,
} from '@hykube/tfplugin/value'
import type { Found, InstanceSelector } from '../expression/index.ts'
import type { InstanceStates } from './facts.ts'
import { publicAttributes } from './rules/public-attributes.ts'
import { sameValues } from './rules/same-values.ts'
import { type SensitiveTree, sensitiveTree, touchesTree } from './rules/sensitivity.ts'
import { isGone, pathFromJson, type StateRecord } from './state-record.ts'
import type { InstanceKey } from './vocabulary/instance-key.ts'

/** The values of an object's instances, as other objects may look them up. */
export interface Outputs {
  readonly repetition: Repetition
  /** In the order of their keys. */
  readonly instances: ReadonlyMap<InstanceKey, OutputValue>
}

export type Repetition = 'single' | 'count' | 'for_each'

export interface OutputValue {
  readonly value: Value
  /** What of it must not be shown; undefined when there is nothing. */
  readonly sensitive: SensitiveTree | undefined
}

/** How the instances of an object are told apart. */
export function repetitionOf({ count = null, for_each: forEach = null }: JsonObject): Repetition {
  if (count !== null) return 'count'
  return forEach === null ? 'single' : 'for_each'
}

export function outputValue(schema: Schema, value: Value, sensitive: readonly Path[]): OutputValue {
  return { value, sensitive: sensitiveTree(schema, value, sensitive) }
}

/** What is known of an object now. What the last refresh saw counts before what was applied. */
export function outputsOfStates(schema: Schema, repetition: Repetition, states: readonly InstanceStates[]): Outputs {
  const instances = new Map<InstanceKey, OutputValue>()
  for (const { instance, current, observed } of states) {
    const record = (observed ?? current)?.record
    if (record !== undefined && !isGone(record)) instances.set(instance, outputOfRecord(schema, record))
  }
  return { repetition, instances }
}

/** The value in a record, as the schema has it now. */
export function outputOfRecord(schema: Schema, { attributes, sensitive = [] }: StateRecord): OutputValue {
  return outputValue(schema, valueFromJson(attributes, impliedType(schema.block)), sensitive.map(pathFromJson))
}

/** What of a record everybody who may see the object may see. */
export function shownAttributes(schema: Schema, { attributes, sensitive = [] }: StateRecord) {
  return publicAttributes(schema, valueFromJson(attributes, impliedType(schema.block)), sensitive.map(pathFromJson))
}

/** A part of an object's instances: of one, or of all of them together. Undefined when there is no such instance. */
export function lookUp(outputs: Outputs, instance: InstanceSelector, own: InstanceKey, path: Path): Found | undefined {
  switch (instance.kind) {
    case 'none':
      return outputs.repetition === 'single' ? one(outputs, undefined, path) : together(outputs, path)
    case 'key':
      return one(outputs, instance.key, path)
    case 'same':
      return one(outputs, own, path)
    case 'all':
      return splat(outputs, path)
    case 'dynamic':
      return together(outputs, path)
  }
}

function one({ instances }: Outputs, key: InstanceKey, path: Path): Found | undefined {
  const output = instances.get(key)
  return output === undefined ? undefined : found(output, path)
}

function found({ value, sensitive }: OutputValue, path: Path): Found {
  return { value: valueAt(value, path), sensitive: touchesTree(sensitive, path) }
}

function splat({ instances }: Outputs, path: Path): Found {
  const parts = [...instances.values()].map((output) => found(output, path))
  return { value: parts.map(({ value }) => value ?? null), sensitive: parts.some(({ sensitive }) => sensitive) }
}

// A list of all that `count` made, or an object of all that `for_each` made.
function together({ repetition, instances }: Outputs, path: Path): Found {
  const sensitive = [...instances.values()].some((output) => output.sensitive !== undefined)
  const value: Value =
    repetition === 'count'
      ? [...instances.values()].map((output) => output.value)
      : valueObject([...instances].map(([key, output]): [string, Value] => [String(key), output.value]))
  return { value: valueAt(value, path), sensitive }
}

/** The attributes in which two values differ, as others see them: what is unknown counts as different. */
export function changedAttributes(schema: Schema, before: Value | undefined, after: Value): string[] {
  const names = [...impliedObject(schema)]
  if (before === undefined || before === null || after === null || isUnknown(after)) return names
  const old = before as Readonly<Record<string, Value>>
  const now = after as Readonly<Record<string, Value>>
  return names.filter((name) => !sameValues(old[name] ?? null, now[name] ?? null) || !isWhollyKnown(now[name] ?? null))
}

function* impliedObject({ block }: Schema): Generator<string> {
  for (const { name } of block.attributes) yield name
  for (const { name } of block.blocks) yield name
}
