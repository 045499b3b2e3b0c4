import { emptyObject, isObject, isUnknown, type Value, type ValueObject } from '@hykube/tfplugin/value'
import type { Importing, NodeKind } from '../plan/index.ts'

/**
 * By what an object can be found that was planned and may have been made: an identity or an id that was known before the provider
 * was asked. Undefined when the provider gives it a name of its own.
 */
export function knownIdentity(
  { identity, schema }: Pick<NodeKind, 'identity' | 'schema'>,
  planned: Value,
  plannedIdentity: Value | undefined,
): Importing | undefined {
  if (!isObject(planned)) return undefined
  const found = identity === undefined ? undefined : identityOf(identity, planned, plannedIdentity)
  if (found !== undefined) return { kind: 'identity', identity: found }
  const { id } = planned
  const isId = schema.block.attributes.some(({ name, computed }) => name === 'id' && computed)
  return isId && typeof id === 'string' && id !== '' ? { kind: 'id', id } : undefined
}

// Attributes of an identity are named as those of the object that they come from, where the provider planned no identity itself.
function identityOf(
  { attributes }: NonNullable<NodeKind['identity']>,
  planned: ValueObject,
  plannedIdentity: Value | undefined,
): Value | undefined {
  const given = isObject(plannedIdentity ?? null) ? (plannedIdentity as ValueObject) : undefined
  const identity = emptyObject()
  for (const { name } of attributes) {
    const value = [given?.[name], planned[name]].find((each) => each !== undefined && each !== null && !isUnknown(each))
    identity[name] = value ?? null
  }
  const required = attributes.filter(({ requiredForImport }) => requiredForImport)
  return required.length > 0 && required.every(({ name }) => identity[name] !== null) ? identity : undefined
}
