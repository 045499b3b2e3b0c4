import { emptyObject, isObject, isUnknown, type Value, type ValueObject } from '@hykube/tfplugin/value'
import type { ResourceKind } from '../model/index.ts'
import type { Importing } from '../terraform/index.ts'

/**
 * Returns the identity or id of a planned resource if it was known before the create call, so that recovery can search for it. Undefined
 * when the provider generates it.
 */
export function knownIdentity(
  { identity, schema }: Pick<ResourceKind, 'identity' | 'schema'>,
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

// If the provider planned no identity, its attributes are taken from the attributes of the same name.
function identityOf(
  { attributes }: NonNullable<ResourceKind['identity']>,
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
