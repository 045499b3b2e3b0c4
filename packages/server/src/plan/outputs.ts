import { type Path, startsWithPath, type Value, valueAt, valueObject } from '@hykube/tfplugin/value'
import type { InstanceSelector } from '../expression/index.ts'
import type { InstanceKey } from './vocabulary/instance-key.ts'

/** The values of an object's instances, as other objects may look them up. */
export interface Outputs {
  readonly repetition: 'single' | 'count' | 'for_each'
  /** In the order of their keys. */
  readonly instances: ReadonlyMap<InstanceKey, OutputValue>
}

export interface OutputValue {
  readonly value: Value
  /** What must not be shown. */
  readonly sensitive: readonly Path[]
}

/** What was found: a value, and whether something sensitive is in it. */
export interface Found {
  readonly value: Value
  readonly sensitive: boolean
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
  return {
    value: valueAt(value, path) ?? null,
    sensitive: sensitive.some((each) => startsWithPath(each, path) || startsWithPath(path, each)),
  }
}

function splat({ instances }: Outputs, path: Path): Found {
  const parts = [...instances.values()].map((output) => found(output, path))
  return { value: parts.map(({ value }) => value), sensitive: parts.some(({ sensitive }) => sensitive) }
}

// A list of all that `count` made, or an object of all that `for_each` made.
function together({ repetition, instances }: Outputs, path: Path): Found {
  const sensitive = [...instances.values()].some((output) => output.sensitive.length > 0)
  const value =
    repetition === 'count'
      ? [...instances.values()].map((output) => output.value)
      : valueObject([...instances].map(([key, output]) => [String(key), output.value]))
  return { value: valueAt(value, path) ?? null, sensitive }
}
