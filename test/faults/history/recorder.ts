import type { Call, CommitCall, CommitResult, GetCall, History, NowCall, ScanCall } from './history.ts'

/** What a call is before it is answered. */
export type Asked =
  | Omit<CommitCall, 'client' | 'start' | 'end' | 'outcome'>
  | Omit<GetCall, 'client' | 'start' | 'end' | 'found'>
  | Omit<ScanCall, 'client' | 'start' | 'end' | 'found'>
  | Omit<NowCall, 'client' | 'start' | 'end' | 'revision'>

/** What its answer adds. */
export type Answered =
  | { readonly outcome: CommitResult }
  | { readonly found?: GetCall['found'] | ScanCall['found'] }
  | { readonly revision?: number }

/** Writes calls down with the ticks of one counter. One recorder serves all clients of a run. */
export class Recorder {
  #tick = 0
  readonly #calls: Call[] = []

  get size(): number {
    return this.#calls.length
  }

  /** Notes that a call begins; the function returned notes its answer. A commit nobody answers is `unknown`. */
  begin(client: number, asked: Asked): (answered: Answered) => void {
    const open = { ...asked, client, start: this.#tick++ }
    const place = this.#calls.length
    this.#calls.push((asked.kind === 'commit' ? { ...open, outcome: { kind: 'unknown' } } : open) as Call)
    return (answered) => {
      this.#calls[place] = { ...open, ...answered, end: this.#tick++ } as Call
    }
  }

  /** The history of all calls so far, with what followers and a last reader saw. */
  history(seen: Omit<History, 'calls'>): History {
    return { calls: [...this.#calls], ...seen }
  }
}
