import type { Type } from '@hykube/tfplugin/value'
import type { Reference } from './reference.ts'

/** What the types of references are, before anything has a value. */
export interface TypeScope {
  /**
   * The type of what a reference names, before its path is followed: of one instance when it chooses one or all of them, of
   * everything that `type.name` means when it chooses none. Undefined when there is no such object yet, or nothing is known
   * of it: then anything goes. Not asked for secrets, config maps, `each.key` and `count.index`, whose types are known.
   */
  typeOf(reference: Reference): Type | undefined
}
