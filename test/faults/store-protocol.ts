import type { StorageFailure } from '@hykube/server/storage'
import type { Expected, LoggedChange, Snapshot, WrittenOperation } from './history/history.ts'

/** Requests to a store process. Keys are `<space>/<name>`, as in histories. */
export type Request =
  | { readonly id: number; readonly call: StoreCall }
  | { readonly follow: string; readonly after: number }

export type StoreCall =
  | {
      readonly kind: 'commit'
      readonly operations: readonly WrittenOperation[]
      readonly conditions: readonly { readonly key: string; readonly expect: Expected }[]
    }
  | { readonly kind: 'get'; readonly key: string; readonly revision?: number }
  | { readonly kind: 'scan'; readonly space: string; readonly revision?: number }
  | { readonly kind: 'now' }
  | { readonly kind: 'compact'; readonly revision: number }

/** Messages of a store process. */
export type Message =
  | { readonly ready: true }
  | { readonly refused: string }
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly failure: StorageFailure | 'bug'; readonly message: string }
  | { readonly follower: string; readonly changes: readonly LoggedChange[]; readonly revision: number }
  | { readonly follower: string; readonly ended: string }

export type Answer =
  | { readonly kind: 'committed'; readonly revisions: readonly number[] }
  | { readonly kind: 'refused'; readonly failures: readonly { readonly key: string; readonly current?: number }[] }
  | { readonly kind: 'entry'; readonly entry?: { readonly revision: number; readonly value: string } }
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot }
  | { readonly kind: 'revision'; readonly revision: number }

/** Spaces of the stores under test: with history, without history, and encrypted. */
export const faultSpaces = [
  { name: 'a', segments: 1, history: true },
  { name: 'b', segments: 1, history: false },
  { name: 'c', segments: 1, history: true, encrypted: true },
] as const
