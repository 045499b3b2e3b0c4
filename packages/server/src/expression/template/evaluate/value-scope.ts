import type { Value } from '@hykube/tfplugin/value'
import { EvaluationFailure } from '../../cel/evaluate/values.ts'
import { type Reference, referenceToText } from '../syntax/reference.ts'

/** The values of references during an evaluation. Called synchronously for every evaluation of a reference. */
export interface ValueScope {
  /**
   * Looks a reference up; undefined if there is no such object, instance or key. Equal references of one template are the same
   * instance, so implementations may cache by identity. Never called for `dynamic` instances: their key is computed first.
   */
  lookup(reference: Reference): Found | undefined
}

/** The result of a lookup. */
export interface Found {
  /**
   * The value at the reference's path (`valueAt`); undefined if the object exists but has nothing at the path. For all
   * instances, the list of their values, with null for instances without a value at the path.
   */
  readonly value: Value | undefined
  /** The value or a part of it is sensitive. */
  readonly sensitive: boolean
}

/** A reference to an object, instance or key that does not exist. */
export class MissingReference extends EvaluationFailure {
  readonly reference: Reference

  constructor(reference: Reference) {
    super(`${referenceToText(reference)}: there is no such ${nouns[reference.kind]}`)
    this.name = 'MissingReference'
    this.reference = reference
  }
}

const nouns: Readonly<Record<Reference['kind'], string>> = {
  resource: 'object',
  secret: 'secret or key',
  configmap: 'config map or key',
  each: 'value: the resource has no for_each',
  count: 'value: the resource has no count',
}
