import type { RemoteStore } from './remote-store.ts'

/** A fault that can be injected into a running backend and undone. */
export interface Fault {
  readonly name: string
  strike(): Promise<void>
  /** Undoes the fault and resolves when the backend works again. */
  heal(): Promise<void>
}

/** A backend under test: its store processes and the faults it supports. */
export interface Backend {
  readonly name: string
  readonly stores: readonly RemoteStore[]
  readonly faults: readonly Fault[]
  /** Faults that this machine does not support, with the reasons. */
  readonly missing: readonly string[]
  close(): Promise<void>
}

/** Kills the process of a store and starts it again. */
export function killFault(store: RemoteStore, name = 'kill -9 of the store'): Fault {
  return {
    name,
    strike: () => store.kill(),
    heal: () => startAgain(store),
  }
}

/** Suspends the process of a store for a while. */
export function pauseFault(store: RemoteStore): Fault {
  return {
    name: 'pause of the store',
    strike: async () => store.pause(),
    heal: async () => store.resume(),
  }
}

/** Starts a store, and retries while its dependencies are not available yet. */
export async function startAgain(store: RemoteStore, attempts = 40): Promise<void> {
  if (store.isReady) return
  for (let attempt = 0; attempt < attempts; attempt++) if (await store.start()) return
  throw new Error(`the store does not start again: ${store.refusal}`)
}
