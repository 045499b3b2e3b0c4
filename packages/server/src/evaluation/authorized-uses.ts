import { pathToText } from '@hykube/tfplugin/value'
import { referenceToText, type SpecReference } from '../expression/index.ts'
import type { ResourceRef } from '../model/index.ts'
import type { Outputs } from './outputs.ts'
import type { PlannerPorts } from './ports.ts'
import { reachesSensitive, takesValue, useText } from './sensitive-reach.ts'

/**
 * The uses of sensitive values that were authorized when an object was written. A value may become sensitive later, so each use is
 * checked against the values that it reaches now. The record of authorized uses is read only when a use reaches a sensitive value.
 */
export class AuthorizedUses {
  readonly #ports: Pick<PlannerPorts, 'sensitiveUses'>
  readonly #ref: ResourceRef
  #uses: Promise<ReadonlySet<string>> | undefined

  constructor(ports: Pick<PlannerPorts, 'sensitiveUses'>, ref: ResourceRef) {
    this.#ports = ports
    this.#ref = ref
  }

  /** Returns why a use is not allowed to read the values that it reaches; undefined when it is allowed. */
  async problem(use: SpecReference, outputs: Outputs): Promise<string | undefined> {
    const { reference, reach, path } = use
    if (reference.kind !== 'resource' || !takesValue(use) || !reachesSensitive(outputs, reference, reach))
      return undefined
    this.#uses ??= this.#ports.sensitiveUses(this.#ref)
    if ((await this.#uses).has(useText(use))) return undefined
    return `${referenceToText(reference)} at ${pathToText(path)} reaches a sensitive value, and the user who wrote it had no permission to get sensitive values: a user with that permission must write the expression`
  }
}
