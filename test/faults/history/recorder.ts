import type { Call, CommitCall, CommitResult, GetCall, History, NowCall, ScanCall } from './history.ts'

/** A call before its response. */
export type Asked =
  | Omit<CommitCall, 'client' | 'start' | 'end' | 'outcome'>
  | Omit<GetCall, 'client' | 'start' | 'end' | 'found'>
  | Omit<ScanCall, 'client' | 'start' | 'end' | 'found'>
  | Omit<NowCall, 'client' | 'start' | 'end' | 'revision'>

/** Fields added by the response. */
export type Answered =
  | { readonly outcome: CommitResult }
  | { readonly found?: GetCall['found'] | ScanCall['found'] }
  | { readonly revision?: number }

/** Records calls with ticks of one counter. One recorder serves all clients of a run. */
export class Recorder {
  #tick = 0
  readonly #calls: Call[] = []

  get size(): number {
    return this.#calls.length
  }

  /**
   * Records the start of a call; the returned function records its response. A commit without a response is `unknown`.
   */
  begin(client: number, asked: Asked): (answered: Answered) => void {
    const open = { ...asked, client, start: this.#tick++ }
    const place = this.#calls.length
    this.#calls.push((asked.kind === 'commit' ? { ...open, outcome: { kind: 'unknown' } } : open) as Call)
    return (answered) => {
      this.#calls[place] = { ...open, ...answered, end: this.#tick++ } as Call
    }
  }

  /** Returns the history of all calls so far, together with the observations of followers and the final reader. */
  history(seen: Omit<History, 'calls'>): History {
    return { calls: [...this.#calls], ...seen }
  }
}
