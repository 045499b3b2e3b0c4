import { DependencyGraph, indexesOnCycles } from '../model/index.ts'

/** The facts about a change that determine the order of its steps. */
export interface OrderedChange {
  /** The object, as the text of its reference. */
  readonly refText: string
  /** True when a resource is created or updated. */
  readonly makes: boolean
  /** True when a resource is destroyed. */
  readonly destroys: boolean
  /** For a replacement: true when the new resource is created before the old one is destroyed. */
  readonly createFirst: boolean
  /** The objects that the spec refers to now, and those that the existing resource was created from. */
  readonly refersTo: readonly string[]
  readonly madeFrom: readonly string[]
}

/**
 * The execution order of a plan's changes as a graph. A change has two steps, create (or update) and destroy. An object has two gates, which
 * open when all its instances are created or destroyed. Steps depend on gates instead of steps, so that ten thousand instances that refer to
 * ten thousand others need twenty thousand edges and not a hundred million.
 */
export class OperationGraph {
  readonly graph: DependencyGraph
  readonly #changes: number

  constructor(changes: readonly OrderedChange[]) {
    this.#changes = changes.length
    const objects = new Objects(changes)
    const edges = new EdgeList()
    for (const [index, change] of changes.entries()) this.#order(index, change, objects, edges)
    this.graph = withoutCycles(2 * changes.length + 2 * objects.size, edges)
  }

  /** Returns the graph index of the step that creates or updates. */
  createStep(change: number): number {
    return 2 * change
  }

  /** Returns the graph index of the step that destroys. */
  destroyStep(change: number): number {
    return 2 * change + 1
  }

  /** Returns the step at a graph index; undefined for a gate, which does nothing. */
  stepAt(graphIndex: number): { readonly change: number; readonly step: 'make' | 'destroy' } | undefined {
    if (graphIndex >= 2 * this.#changes) return undefined
    return { change: graphIndex >> 1, step: (graphIndex & 1) === 0 ? 'make' : 'destroy' }
  }

  #order(index: number, change: OrderedChange, objects: Objects, edges: EdgeList): void {
    const make = this.createStep(index)
    const destroy = this.destroyStep(index)
    const own = objects.of(change.refText)!
    edges.add(this.#createdGate(own), make)
    edges.add(this.#destroyedGate(own), destroy)
    if (change.makes) {
      for (const target of objects.some(change.refersTo, own)) edges.add(make, this.#createdGate(target))
      // Dependents that are only destroyed go before the update. With create-first the old resource stays, so they can wait.
      for (const dependent of change.createFirst ? [] : objects.dependentsOf(own))
        if (objects.isDestroyedFirst(dependent)) edges.add(make, this.#destroyedGate(dependent), 'optional')
    }
    if (!change.destroys) return
    if (change.makes && change.createFirst) edges.add(destroy, make)
    else if (change.makes) edges.add(make, destroy)
    for (const dependent of objects.dependentsOf(own)) {
      if (objects.destroys(dependent)) edges.add(destroy, this.#destroyedGate(dependent))
      // A dependent stops using the old resource when it is destroyed or updated, which must come first. The exception is an update that
      // needs the new resource of a delete-first replacement.
      const isAfter = change.makes && !change.createFirst && objects.refers(dependent, own)
      if (objects.updates(dependent) && !isAfter) edges.add(destroy, this.#createdGate(dependent), 'preferred')
    }
  }

  #createdGate(object: number): number {
    return 2 * this.#changes + 2 * object
  }

  #destroyedGate(object: number): number {
    return 2 * this.#changes + 2 * object + 1
  }
}

// References that changed direction since the last apply can form a cycle. Soft ordering edges are then dropped to break it, the least
// important ones first.
function withoutCycles(size: number, edges: EdgeList): DependencyGraph {
  let graph = new DependencyGraph(size, edges)
  for (const priority of ['optional', 'preferred'] as const) {
    const onCycles = indexesOnCycles(graph)
    if (onCycles === undefined) return graph
    graph = new DependencyGraph(
      size,
      edges.without(priority, (graphIndex) => onCycles[graphIndex] === 1),
    )
  }
  return graph
}

/** The objects of a plan, numbered from 0. */
class Objects {
  readonly #numbers = new Map<string, number>()
  /** Sparse, because most objects of a large plan have no dependents. */
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

  of(refText: string): number | undefined {
    return this.#numbers.get(refText)
  }

  /** Returns the numbers of those objects that are in the plan, except `but`. */
  some(refTexts: readonly string[], but: number): number[] {
    return refTexts.flatMap((refText) => {
      const object = this.#numbers.get(refText)
      return object === undefined || object === but ? [] : [object]
    })
  }

  /** Returns the objects whose existing resources were created from an object. */
  dependentsOf(object: number): ReadonlySet<number> {
    return this.#dependents.get(object) ?? noDependents
  }

  /** True when an instance is updated in place. */
  updates(object: number): boolean {
    return this.#updates[object]!
  }

  destroys(object: number): boolean {
    return this.#destroys[object]!
  }

  /** True when it is destroyed without a replacement being created first. */
  isDestroyedFirst(object: number): boolean {
    return this.#destroys[object]! && !this.#createsFirst[object]!
  }

  refers(from: number, to: number): boolean {
    return this.#refersTo.get(from)?.has(to) === true
  }

  #take({ refText, makes, destroys, createFirst }: OrderedChange): void {
    let object = this.#numbers.get(refText)
    if (object === undefined) {
      object = this.#numbers.size
      this.#numbers.set(refText, object)
    }
    this.#updates[object] = this.#updates[object] === true || (makes && !destroys)
    this.#destroys[object] = this.#destroys[object] === true || destroys
    this.#createsFirst[object] = this.#createsFirst[object] === true || (destroys && makes && createFirst)
  }

  #connect({ refText, refersTo, madeFrom }: OrderedChange): void {
    const own = this.#numbers.get(refText)!
    for (const target of this.some(refersTo, own)) add(this.#refersTo, own, target)
    for (const target of this.some(madeFrom, own)) add(this.#dependents, target, own)
  }
}

const noDependents: ReadonlySet<number> = new Set()

function add(sets: Map<number, Set<number>>, to: number, member: number): void {
  const set = sets.get(to)
  if (set === undefined) sets.set(to, new Set([member]))
  else set.add(member)
}

/** The priority of an ordering edge. `required` edges can't form a cycle; the others are dropped in cycles. */
type EdgePriority = 'required' | 'preferred' | 'optional'

const priorityCodes = { required: 0, preferred: 1, optional: 2 } as const

/** Pairs of graph indexes in growing typed arrays: `from` waits for `to`. */
class EdgeList {
  #from: Uint32Array = new Uint32Array(1024)
  #to: Uint32Array = new Uint32Array(1024)
  #priority: Uint8Array = new Uint8Array(1024)
  #length = 0

  add(waits: number, waitsFor: number, priority: EdgePriority = 'required'): void {
    if (this.#length === this.#from.length) {
      this.#from = grown(this.#from)
      this.#to = grown(this.#to)
      const grownPriorities = new Uint8Array(this.#from.length)
      grownPriorities.set(this.#priority)
      this.#priority = grownPriorities
    }
    this.#priority[this.#length] = priorityCodes[priority]
    this.#from[this.#length] = waits
    this.#to[this.#length++] = waitsFor
  }

  /** Returns a copy without the edges between selected steps that have at most this priority. */
  without(priority: EdgePriority, isOne: (step: number) => boolean): EdgeList {
    const fewer = new EdgeList()
    for (let i = 0; i < this.#length; i++) {
      const [from, to] = [this.#from[i]!, this.#to[i]!]
      if (this.#priority[i]! < priorityCodes[priority] || !isOne(from) || !isOne(to)) fewer.add(from, to)
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
