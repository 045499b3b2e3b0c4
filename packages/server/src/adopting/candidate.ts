import type { Block } from '@hykube/tfplugin/schema'
import { equalValues, isObject, type Value } from '@hykube/tfplugin/value'
import { type ConfigurableChoice, configurablePart, type Extent, extents, isSettable } from './configurable-part.ts'

/**
 * A choice of which values of imported states count as configured. It begins with as little as possible, and takes more or less as the
 * provider's answers demand.
 */
export class Candidate implements ConfigurableChoice {
  readonly #block: Block
  readonly #states: readonly Value[]
  readonly #extents = new Map<string, Extent>()
  readonly #refused = new Set<string>()

  /** `generated` are the configurations that the provider generated for the states; values that they leave out are left out at first. */
  constructor(block: Block, states: readonly Value[], generated: readonly Value[]) {
    this.#block = block
    this.#states = states
    for (const attribute of block.attributes) {
      const { name, required, computed, deprecated } = attribute
      const isLeftOut = generated.length > 0 && generated.every((config) => partOf(config, name) === null)
      const isNeeded = required || !(computed || deprecated || isLeftOut || name === 'id')
      this.#extents.set(name, isSettable(attribute) && isNeeded ? 'needed' : 'none')
    }
    // A schema does not say which blocks are computed too, so optional ones are added when a plan would change them.
    for (const { name, minItems } of block.blocks) this.#extents.set(name, minItems > 0 ? 'needed' : 'none')
  }

  extentOf = (name: string): Extent => this.#extents.get(name) ?? 'none'

  isRefused = (path: string): boolean => this.#refused.has(path)

  /** Returns the configuration of a state. */
  configurationOf(state: Value): Value {
    return configurablePart(this.#block, state, this)
  }

  /** True when the configuration of a state has a value for an attribute or block at the top. */
  has(name: string): boolean {
    return this.#states.some((state) => !isAbsent(partOf(this.configurationOf(state), name)))
  }

  /** True when the state has a value that may be configured. */
  canAdd(name: string): boolean {
    return this.#isKnown(name) && this.#states.some((state) => !isAbsent(partOf(state, name)))
  }

  /** Takes more of an attribute or block at the top from the state. Returns false when there is no more. */
  add(name: string): boolean {
    if (!this.#isKnown(name)) return false
    const before = this.#states.map((state) => partOf(this.configurationOf(state), name))
    for (let next = extents.indexOf(this.extentOf(name)) + 1; next < extents.length; next++) {
      this.#extents.set(name, extents[next]!)
      const after = this.#states.map((state) => partOf(this.configurationOf(state), name))
      if (!after.every((value, i) => equalValues(value, before[i]!))) return true
    }
    return false
  }

  /** Leaves an attribute out for good. Returns false when it was left out before or is required. */
  refuse(path: string): boolean {
    const { attributes, blocks } = this.#block
    if (this.#refused.has(path)) return false
    const isRequired = attributes.some(({ name, required }) => name === path && required)
    if (isRequired || blocks.some(({ name, minItems }) => name === path && minItems > 0)) return false
    this.#refused.add(path)
    return true
  }

  #isKnown(name: string): boolean {
    if (name === 'id' || this.#refused.has(name)) return false
    const { attributes, blocks } = this.#block
    return (
      attributes.some((each) => each.name === name && isSettable(each)) || blocks.some((each) => each.name === name)
    )
  }
}

function partOf(value: Value, name: string): Value {
  return isObject(value) ? (value[name] ?? null) : null
}

function isAbsent(value: Value): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}
