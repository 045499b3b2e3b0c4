import type { JsonObject } from '@hykube/machinery/json'
import { impliedType, type Schema } from '@hykube/tfplugin/schema'
import {
  isUnknown,
  isWhollyKnown,
  type Path,
  type Value,
  valueAt,
  valueFromJson,
  valueObject,
} from '@hykube/tfplugin/value'
import type { Found, InstanceSelector } from '../expression/index.ts'
import type { InstanceKey, InstanceStates } from '../model/index.ts'
import { isGone, pathFromJson, type StateRecord } from '../model/index.ts'
import { publicAttributes, type SensitiveTree, sameValues, sensitiveTree, touchesTree } from '../terraform/index.ts'

/** The values of an object's instances, as references from other objects read them. */
export interface Outputs {
  readonly repetition: Repetition
  /** In the order of their keys. */
  readonly instances: ReadonlyMap<InstanceKey, OutputValue>
}

export type Repetition = 'single' | 'count' | 'for_each'

export interface OutputValue {
  readonly value: Value
  /** The sensitive parts of the value; undefined when there are none. */
  readonly sensitive: SensitiveTree | undefined
}

/** Returns which of `count` and `for_each` a spec uses. */
export function repetitionOf({ count = null, for_each: forEach = null }: JsonObject): Repetition {
  if (count !== null) return 'count'
  return forEach === null ? 'single' : 'for_each'
}

export function outputValue(schema: Schema, value: Value, sensitive: readonly Path[]): OutputValue {
  return { value, sensitive: sensitiveTree(schema, value, sensitive) }
}

/** Returns the outputs of stored states. The observed state of the last refresh takes precedence over the applied state. */
export function outputsOfStates(schema: Schema, repetition: Repetition, states: readonly InstanceStates[]): Outputs {
  const instances = new Map<InstanceKey, OutputValue>()
  for (const { instance, current, observed } of states) {
    const record = (observed ?? current)?.record
    if (record !== undefined && !isGone(record)) instances.set(instance, outputOfRecord(schema, record))
  }
  return { repetition, instances }
}

/** Decodes the value of a state record with the current schema. */
export function outputOfRecord(schema: Schema, { attributes, sensitive = [] }: StateRecord): OutputValue {
  return outputValue(schema, valueFromJson(attributes, impliedType(schema.block)), sensitive.map(pathFromJson))
}

/** Returns the attributes of a state record without sensitive ones, for the status of the object. */
export function shownAttributes(schema: Schema, { attributes, sensitive = [] }: StateRecord) {
  return publicAttributes(schema, valueFromJson(attributes, impliedType(schema.block)), sensitive.map(pathFromJson))
}

/** Looks up a path in one instance or in all of them. Undefined when the instance doesn't exist. `own` is the key of the referring instance. */
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

// All instances as one value: a list for `count`, an object by key for `for_each`.
function together({ repetition, instances }: Outputs, path: Path): Found {
  const sensitive = [...instances.values()].some((output) => output.sensitive !== undefined)
  const value: Value =
    repetition === 'count'
      ? [...instances.values()].map((output) => output.value)
      : valueObject([...instances].map(([key, output]): [string, Value] => [String(key), output.value]))
  return { value: valueAt(value, path), sensitive }
}

/** Returns the names of top-level attributes that differ; an unknown value counts as different. */
export function changedAttributes(schema: Schema, before: Value | undefined, after: Value): string[] {
  const names = [...topLevelNames(schema)]
  if (before === undefined || before === null || after === null || isUnknown(after)) return names
  const old = before as Readonly<Record<string, Value>>
  const now = after as Readonly<Record<string, Value>>
  return names.filter((name) => !sameValues(old[name] ?? null, now[name] ?? null) || !isWhollyKnown(now[name] ?? null))
}

function* topLevelNames({ block }: Schema): Generator<string> {
  for (const { name } of block.attributes) yield name
  for (const { name } of block.blocks) yield name
}
