import type { DependencyGraph } from '../model/index.ts'

export interface ExecutionOptions {
  /** The number of concurrent steps. */
  readonly parallelism: number
  /** The limited pool of a step; undefined for none. */
  readonly poolOf?: (graphIndex: number) => string | undefined
  /** The number of concurrent steps of one pool. */
  readonly perPool?: number
  /** The weight of a step in these limits, evaluated when it starts. Default 1. */
  readonly weightOf?: (graphIndex: number) => number
  /** Starts no further steps once aborted; running steps finish. */
  readonly signal: AbortSignal
}

/** The result of a step; dependents of a step that isn't done are skipped. */
export type StepResult = 'done' | 'not-done'

/**
 * Executes the steps of a graph in dependency order: a step starts when all its dependencies are done. Direct and indirect dependents of
 * a step that isn't done are passed to `skip` instead.
 */
export async function execute(
  graph: DependencyGraph,
  step: (graphIndex: number) => Promise<StepResult> | StepResult,
  skip: (graphIndex: number) => Promise<void> | void,
  options: ExecutionOptions,
): Promise<void> {
  await new Execution(graph, step, skip, options).run()
}

class Execution {
  readonly #graph: DependencyGraph
  readonly #step: (graphIndex: number) => Promise<StepResult> | StepResult
  readonly #skip: (graphIndex: number) => Promise<void> | void
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
    step: (graphIndex: number) => Promise<StepResult> | StepResult,
    skip: (graphIndex: number) => Promise<void> | void,
    options: ExecutionOptions,
  ) {
    this.#graph = graph
    this.#step = step
    this.#skip = skip
    this.#options = options
    this.#waiting = new Uint32Array(graph.size)
    this.#skipped = new Uint8Array(graph.size)
    for (let graphIndex = 0; graphIndex < graph.size; graphIndex++) {
      this.#waiting[graphIndex] = graph.dependenciesOf(graphIndex).length
      if (this.#waiting[graphIndex] === 0) this.#ready.push(graphIndex)
    }
    // Steps are taken from the end, so the first step must be last.
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
      const graphIndex = this.#ready.pop()!
      const weight = this.#options.weightOf?.(graphIndex) ?? 1
      if (!this.#enterPool(graphIndex, weight)) continue
      this.#running += weight
      void this.#do(graphIndex, weight)
    }
    if (this.#running === 0) this.#finish()
  }

  async #do(graphIndex: number, weight: number): Promise<void> {
    try {
      const isSkipped = this.#skipped[graphIndex] === 1
      if (isSkipped) await this.#skip(graphIndex)
      const result = isSkipped ? 'not-done' : await this.#step(graphIndex)
      this.#release(graphIndex, result === 'done')
    } catch (error) {
      this.#failure ??= { error }
    }
    this.#running -= weight
    this.#leavePool(graphIndex, weight)
    this.#begin()
  }

  #release(graphIndex: number, done: boolean): void {
    for (const dependent of this.#graph.dependentsOf(graphIndex)) {
      if (!done) this.#skipped[dependent] = 1
      if (--this.#waiting[dependent]! === 0) this.#ready.push(dependent)
    }
  }

  #enterPool(graphIndex: number, weight: number): boolean {
    const { poolOf, perPool } = this.#options
    const pool = poolOf?.(graphIndex)
    if (pool === undefined || perPool === undefined || this.#skipped[graphIndex] === 1) return true
    const inside = this.#inPool.get(pool) ?? 0
    if (inside >= perPool) {
      const held = this.#held.get(pool)
      if (held === undefined) this.#held.set(pool, [graphIndex])
      else held.push(graphIndex)
      return false
    }
    this.#inPool.set(pool, inside + weight)
    return true
  }

  #leavePool(graphIndex: number, weight: number): void {
    const { poolOf, perPool } = this.#options
    const pool = poolOf?.(graphIndex)
    if (pool === undefined || perPool === undefined || this.#skipped[graphIndex] === 1) return
    this.#inPool.set(pool, this.#inPool.get(pool)! - weight)
    const next = this.#held.get(pool)?.pop()
    if (next !== undefined) this.#ready.push(next)
  }
}
