import { pathToText } from '@hykube/tfplugin/value'
import { referenceToText, type SpecReference } from '../expression/index.ts'
import type { Outputs } from './outputs.ts'
import type { PlannerPorts } from './ports.ts'
import { reachesSensitive, takesValue, useText } from './sensitive-reach.ts'
import type { NodePlace } from './vocabulary/place.ts'

/**
 * The uses of sensitive values that an object was allowed when they were written. A value may become sensitive after that, so
 * that each use is held against the values it reaches now. The record is read only when there is something sensitive.
 */
export class AuthorizedUses {
  readonly #ports: Pick<PlannerPorts, 'sensitiveUses'>
  readonly #place: NodePlace
  #uses: Promise<ReadonlySet<string>> | undefined

  constructor(ports: Pick<PlannerPorts, 'sensitiveUses'>, place: NodePlace) {
    this.#ports = ports
    this.#place = place
  }

  /** Why a use may not have the values that it reaches; undefined when it may. */
  async problem(use: SpecReference, outputs: Outputs): Promise<string | undefined> {
    const { reference, reach, path } = use
    if (reference.kind !== 'resource' || !takesValue(use) || !reachesSensitive(outputs, reference, reach))
      return undefined
    this.#uses ??= this.#ports.sensitiveUses(this.#place)
    if ((await this.#uses).has(useText(use))) return undefined
    return `${referenceToText(reference)} at ${pathToText(path)} reaches a sensitive value, and the user who wrote it there could not get sensitive values of it: a user who can must write that expression`
  }
}
