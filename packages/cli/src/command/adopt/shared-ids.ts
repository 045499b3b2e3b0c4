import { isJsonObject } from '@hykube/machinery/json'
import { addressToText } from '@hykube/machinery/object'
import { type StateResource, stateAddress } from './state-file.ts'
import type { StateTarget } from './state-targets.ts'

/** Resources of the state files that have an id in common. Ids of types such as random_password are not unique. */
export class SharedIds {
  readonly #groups: readonly ReadonlySet<StateResource>[]
  readonly #targets: ReadonlyMap<StateResource, StateTarget>

  constructor(targets: ReadonlyMap<StateResource, StateTarget>) {
    this.#targets = targets
    const byId = new Map<string, Set<StateResource>>()
    for (const [resource, { at, configuration }] of targets)
      for (const id of idsOf(resource)) {
        const text = JSON.stringify([at.group, at.resource, configuration, id])
        byId.set(text, (byId.get(text) ?? new Set()).add(resource))
      }
    this.#groups = [...byId.values()].filter(({ size }) => size > 1)
  }

  /** The addresses of the objects that may have an id of this resource. */
  othersOf(resource: StateResource): string[] {
    const others = this.#groups.filter((group) => group.has(resource)).flatMap((group) => [...group])
    return [...new Set(others)].filter((other) => other !== resource).map((other) => this.#objectOf(other))
  }

  /** A warning for each id that several resources have. */
  get warnings(): string[] {
    return this.#groups.map((group) => {
      const all = [...group].map((each) => `${stateAddress(each)} (${this.#objectOf(each)})`)
      const rest = all.length > mostNamed ? ` and ${all.length - mostNamed} others` : ''
      return `${all.slice(0, mostNamed).join(', ')}${rest} have the same id: check that they are not one resource`
    })
  }

  #objectOf(resource: StateResource): string {
    return addressToText({ data: false, type: resource.type, name: this.#targets.get(resource)!.at.name })
  }
}

const mostNamed = 10

function idsOf({ instances }: StateResource): readonly string[] {
  return instances.flatMap(({ attributes, identity }) => {
    const id = isJsonObject(attributes) ? attributes.id : undefined
    if (typeof id === 'string' && id !== '') return [id]
    return isJsonObject(identity) ? [JSON.stringify(identity)] : []
  })
}
