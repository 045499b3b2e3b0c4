/** Collects the stop functions of started parts and runs them in reverse order. */
export class Stopping {
  readonly #steps: (() => Promise<void>)[] = []

  add(step: () => Promise<void>): void {
    this.#steps.push(step)
  }

  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) await step()
  }
}
