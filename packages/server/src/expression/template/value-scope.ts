import type { Value } from '@hykube/tfplugin/value'
import { EvaluationFailure } from '../cel/values.ts'
import { type Reference, referenceToText } from './reference.ts'

/** What references mean while an expression is evaluated. Asked synchronously, once for each time a reference is met. */
export interface ValueScope {
  /**
   * What a reference names; undefined when there is no such object, instance or key. Equal references of one template are
   * one object. An instance selected by `dynamic` is never asked for: by then its key was computed.
   */
  lookup(reference: Reference): Found | undefined
}

/** What was found for a reference. */
export interface Found {
  /**
   * The value at the reference's path, as `valueAt` gives it: undefined when the object is there, but the path leads
   * nowhere in it. For all instances it is the list of their values, null where the path leads nowhere.
   */
  readonly value: Value | undefined
  /** Whether the value or a part of it is sensitive. */
  readonly sensitive: boolean
}

/** A reference to what is not there. */
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
