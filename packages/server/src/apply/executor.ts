import type { DependencyGraph } from '../plan/index.ts'

export interface ExecutionOptions {
  /** How many steps at a time. */
  readonly parallelism: number
  /** Which limited pool a step draws on; undefined for none. */
  readonly poolOf?: (node: number) => string | undefined
  /** How many steps of one pool at a time. */
  readonly perPool?: number
  /** As how many a step counts among those, asked when it is begun. Default 1. */
  readonly weightOf?: (node: number) => number
  /** No step is begun after this; those that were begun end by themselves. */
  readonly signal: AbortSignal
}

/** How a step came out: dependents of one that was not done are not begun. */
export type StepResult = 'done' | 'not-done'

/**
 * Walks a graph with readiness counters: a step is begun when everything it waits for was done. What waits, however
 * indirectly, for a step that was not done is handed to `skip` instead.
 */
export async function execute(
  graph: DependencyGraph,
  step: (node: number) => Promise<StepResult> | StepResult,
  skip: (node: number) => Promise<void> | void,
  options: ExecutionOptions,
): Promise<void> {
  await new Execution(graph, step, skip, options).run()
}

class Execution {
  readonly #graph: DependencyGraph
  readonly #step: (node: number) => Promise<StepResult> | StepResult
  readonly #skip: (node: number) => Promise<void> | void
  readonly #options: ExecutionOptions
  readonly #waiting: Uint32Array
  readonly #skipped: Uint8Array
  readonly #ready: number[] = []
  /** Steps that were ready while their pool was full, by pool. */
  readonly #held = new Map<string, number[]>()
  readonly #inPool = new Map<string, number>()
  #running = 0
  #failure: { readonly error: unknown } | undefined
  #finish: () => void = () => {}

  constructor(
    graph: DependencyGraph,
    step: (node: number) => Promise<StepResult> | StepResult,
    skip: (node: number) => Promise<void> | void,
    options: ExecutionOptions,
  ) {
    this.#graph = graph
    this.#step = step
    this.#skip = skip
    this.#options = options
    this.#waiting = new Uint32Array(graph.size)
    this.#skipped = new Uint8Array(graph.size)
    for (let node = 0; node < graph.size; node++) {
      this.#waiting[node] = graph.dependenciesOf(node).length
      if (this.#waiting[node] === 0) this.#ready.push(node)
    }
    // The first node first: what is taken is the last.
    this.#ready.reverse()
  }

  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#finish = () => (this.#failure === undefined ? resolve() : reject(this.#failure.error))
      this.#begin()
    })
  }

  #begin(): void {
    const { parallelism, signal } = this.#options
    while (this.#running < parallelism && this.#ready.length > 0 && this.#failure === undefined) {
      if (signal.aborted) {
        this.#ready.length = 0
        break
      }
      const node = this.#ready.pop()!
      const weight = this.#options.weightOf?.(node) ?? 1
      if (!this.#enterPool(node, weight)) continue
      this.#running += weight
      void this.#do(node, weight)
    }
    if (this.#running === 0) this.#finish()
  }

  async #do(node: number, weight: number): Promise<void> {
    try {
      const isSkipped = this.#skipped[node] === 1
      if (isSkipped) await this.#skip(node)
      const result = isSkipped ? 'not-done' : await this.#step(node)
      this.#release(node, result === 'done')
    } catch (error) {
      this.#failure ??= { error }
    }
    this.#running -= weight
    this.#leavePool(node, weight)
    this.#begin()
  }

  #release(node: number, done: boolean): void {
    for (const dependent of this.#graph.dependentsOf(node)) {
      if (!done) this.#skipped[dependent] = 1
      if (--this.#waiting[dependent]! === 0) this.#ready.push(dependent)
    }
  }

  #enterPool(node: number, weight: number): boolean {
    const { poolOf, perPool } = this.#options
    const pool = poolOf?.(node)
    if (pool === undefined || perPool === undefined || this.#skipped[node] === 1) return true
    const inside = this.#inPool.get(pool) ?? 0
    if (inside >= perPool) {
      const held = this.#held.get(pool)
      if (held === undefined) this.#held.set(pool, [node])
      else held.push(node)
      return false
    }
    this.#inPool.set(pool, inside + weight)
    return true
  }

  #leavePool(node: number, weight: number): void {
    const { poolOf, perPool } = this.#options
    const pool = poolOf?.(node)
    if (pool === undefined || perPool === undefined || this.#skipped[node] === 1) return
    this.#inPool.set(pool, this.#inPool.get(pool)! - weight)
    const next = this.#held.get(pool)?.pop()
    if (next !== undefined) this.#ready.push(next)
  }
}
