import type { Type } from '@hykube/tfplugin/value'
import type { Reference } from '../syntax/reference.ts'

/** The static types of references. */
export interface TypeScope {
  /**
   * The type of the referenced object, before the reference's path is applied: of one instance if the reference selects one
   * or all, otherwise of `type.name` as a whole. Undefined if the object doesn't exist yet or its type is unknown; then every
   * use is accepted. Not called for secrets, config maps, `each.key` and `count.index`, whose types are fixed.
   */
  typeOf(reference: Reference): Type | undefined
}
