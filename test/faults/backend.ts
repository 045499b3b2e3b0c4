import type { RemoteStore } from './remote-store.ts'

/** Something bad that can be done to a running backend, and undone. */
export interface Fault {
  readonly name: string
  strike(): Promise<void>
  /** Undoes it, and resolves when the backend works again. */
  heal(): Promise<void>
}

/** A backend under test: the processes that hold its stores, and what can be done to it. */
export interface Backend {
  readonly name: string
  readonly stores: readonly RemoteStore[]
  readonly faults: readonly Fault[]
  /** What could not be tried on this machine, and why. */
  readonly missing: readonly string[]
  close(): Promise<void>
}

/** Ends the process of a store at once and starts it again. */
export function killFault(store: RemoteStore, name = 'kill -9 of the store'): Fault {
  return {
    name,
    strike: () => store.kill(),
    heal: () => startAgain(store),
  }
}

/** Stops the process of a store for a while. */
export function pauseFault(store: RemoteStore): Fault {
  return {
    name: 'pause of the store',
    strike: async () => store.pause(),
    heal: async () => store.resume(),
  }
}

/** Starts a store, again and again while it refuses because what it needs is still coming back. */
export async function startAgain(store: RemoteStore, attempts = 40): Promise<void> {
  if (store.isReady) return
  for (let attempt = 0; attempt < attempts; attempt++) if (await store.start()) return
  throw new Error(`the store does not start again: ${store.refusal}`)
}
