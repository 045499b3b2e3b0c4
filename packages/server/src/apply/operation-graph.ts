import { DependencyGraph, nodesOnCircles } from '../plan/index.ts'

/** What the order of a plan's work follows from. */
export interface OrderedChange {
  /** The object, as text. */
  readonly node: string
  /** Whether something is made or updated. */
  readonly makes: boolean
  /** Whether something is destroyed. */
  readonly destroys: boolean
  /** With both: whether the new one is made before the old one is destroyed. */
  readonly createFirst: boolean
  /** What it refers to now, and what the old one was made from: objects, as texts. */
  readonly refersTo: readonly string[]
  readonly madeFrom: readonly string[]
}

/**
 * The order of a plan's work as a graph. A change has two steps, making and destroying; an object has two gates, that all of
 * it is made and that all of it is destroyed. Steps wait for gates, so that ten thousand instances that refer to ten thousand
 * others are twenty thousand edges.
 */
export class OperationGraph {
  readonly graph: DependencyGraph
  readonly #changes: number

  constructor(changes: readonly OrderedChange[]) {
    this.#changes = changes.length
    const objects = new Objects(changes)
    const edges = new EdgeList()
    for (const [index, change] of changes.entries()) this.#order(index, change, objects, edges)
    this.graph = withoutCircles(2 * changes.length + 2 * objects.size, edges)
  }

  /** The step that makes or updates what a change is about. */
  makeOf(change: number): number {
    return 2 * change
  }

  /** The step that destroys. */
  destroyOf(change: number): number {
    return 2 * change + 1
  }

  /** What a step of the graph is; undefined for a gate, which is only passed. */
  stepAt(node: number): { readonly change: number; readonly step: 'make' | 'destroy' } | undefined {
    if (node >= 2 * this.#changes) return undefined
    return { change: node >> 1, step: (node & 1) === 0 ? 'make' : 'destroy' }
  }

  #order(index: number, change: OrderedChange, objects: Objects, edges: EdgeList): void {
    const make = this.makeOf(index)
    const destroy = this.destroyOf(index)
    const own = objects.of(change.node)!
    edges.add(this.#madeGate(own), make)
    edges.add(this.#destroyedGate(own), destroy)
    if (change.makes) {
      for (const target of objects.some(change.refersTo, own)) edges.add(make, this.#madeGate(target))
      // What was made from it goes before it is updated; beside a new one it may stay for a while.
      for (const dependent of change.createFirst ? [] : objects.dependentsOf(own))
        if (objects.goesWithout(dependent)) edges.add(make, this.#destroyedGate(dependent), 'if possible')
    }
    if (!change.destroys) return
    if (change.makes && change.createFirst) edges.add(destroy, make)
    else if (change.makes) edges.add(make, destroy)
    for (const dependent of objects.dependentsOf(own)) {
      if (objects.destroys(dependent)) edges.add(destroy, this.#destroyedGate(dependent))
      // What is replaced lets go by being destroyed; what is updated, by its update. Only the update that needs the new object of a
      // replacement which destroys first can't come before.
      const isAfter = change.makes && !change.createFirst && objects.refers(dependent, own)
      if (objects.updates(dependent) && !isAfter) edges.add(destroy, this.#madeGate(dependent), 'wherever possible')
    }
  }

  #madeGate(object: number): number {
    return 2 * this.#changes + 2 * object
  }

  #destroyedGate(object: number): number {
    return 2 * this.#changes + 2 * object + 1
  }
}

// What has changed sides since it was made can wait for itself by way of others: then orders that are only good manners give way,
// those that are needed less first.
function withoutCircles(size: number, edges: EdgeList): DependencyGraph {
  let graph = new DependencyGraph(size, edges)
  for (const firmness of ['if possible', 'wherever possible'] as const) {
    const circular = nodesOnCircles(graph)
    if (circular === undefined) return graph
    graph = new DependencyGraph(
      size,
      edges.without(firmness, (node) => circular[node] === 1),
    )
  }
  return graph
}

/** The objects of a plan, as numbers. */
class Objects {
  readonly #numbers = new Map<string, number>()
  /** Only of objects that have some: most of a million have none. */
  readonly #dependents = new Map<number, Set<number>>()
  readonly #refersTo = new Map<number, Set<number>>()
  readonly #updates: boolean[] = []
  readonly #destroys: boolean[] = []
  readonly #createsFirst: boolean[] = []

  constructor(changes: readonly OrderedChange[]) {
    for (const change of changes) this.#take(change)
    for (const change of changes) this.#connect(change)
  }

  get size(): number {
    return this.#numbers.size
  }

  of(node: string): number | undefined {
    return this.#numbers.get(node)
  }

  /** Those of these objects that are in the plan. */
  some(nodes: readonly string[], but: number): number[] {
    return nodes.flatMap((node) => {
      const object = this.#numbers.get(node)
      return object === undefined || object === but ? [] : [object]
    })
  }

  /** Who was made from an object. */
  dependentsOf(object: number): ReadonlySet<number> {
    return this.#dependents.get(object) ?? nobody
  }

  /** Whether something of it is changed in place. */
  updates(object: number): boolean {
    return this.#updates[object]!
  }

  destroys(object: number): boolean {
    return this.#destroys[object]!
  }

  /** Whether it is destroyed without something new being made first. */
  goesWithout(object: number): boolean {
    return this.#destroys[object]! && !this.#createsFirst[object]!
  }

  refers(from: number, to: number): boolean {
    return this.#refersTo.get(from)?.has(to) === true
  }

  #take({ node, makes, destroys, createFirst }: OrderedChange): void {
    let object = this.#numbers.get(node)
    if (object === undefined) {
      object = this.#numbers.size
      this.#numbers.set(node, object)
    }
    this.#updates[object] = this.#updates[object] === true || (makes && !destroys)
    this.#destroys[object] = this.#destroys[object] === true || destroys
    this.#createsFirst[object] = this.#createsFirst[object] === true || (destroys && makes && createFirst)
  }

  #connect({ node, refersTo, madeFrom }: OrderedChange): void {
    const own = this.#numbers.get(node)!
    for (const target of this.some(refersTo, own)) add(this.#refersTo, own, target)
    for (const target of this.some(madeFrom, own)) add(this.#dependents, target, own)
  }
}

const nobody: ReadonlySet<number> = new Set()

function add(sets: Map<number, Set<number>>, to: number, member: number): void {
  const set = sets.get(to)
  if (set === undefined) sets.set(to, new Set([member]))
  else set.add(member)
}

/** How much an order matters: what is not needed gives way in a circle. */
type Firmness = 'needed' | 'wherever possible' | 'if possible'

const firmnessCodes = { needed: 0, 'wherever possible': 1, 'if possible': 2 } as const

/** Pairs of steps: the first waits for the second. */
class EdgeList {
  #from: Uint32Array = new Uint32Array(1024)
  #to: Uint32Array = new Uint32Array(1024)
  #firmness: Uint8Array = new Uint8Array(1024)
  #length = 0

  add(waits: number, waitsFor: number, firmness: Firmness = 'needed'): void {
    if (this.#length === this.#from.length) {
      this.#from = grown(this.#from)
      this.#to = grown(this.#to)
      const firmer = new Uint8Array(this.#from.length)
      firmer.set(this.#firmness)
      this.#firmness = firmer
    }
    this.#firmness[this.#length] = firmnessCodes[firmness]
    this.#from[this.#length] = waits
    this.#to[this.#length++] = waitsFor
  }

  /** The same, but for those between certain steps that are not firmer than this. */
  without(firmness: Firmness, isOne: (step: number) => boolean): EdgeList {
    const fewer = new EdgeList()
    for (let i = 0; i < this.#length; i++) {
      const [from, to] = [this.#from[i]!, this.#to[i]!]
      if (this.#firmness[i]! < firmnessCodes[firmness] || !isOne(from) || !isOne(to)) fewer.add(from, to)
    }
    return fewer
  }

  get from(): Uint32Array {
    return this.#from.subarray(0, this.#length)
  }

  get to(): Uint32Array {
    return this.#to.subarray(0, this.#length)
  }
}

function grown(array: Uint32Array): Uint32Array {
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}
