/** A document that a client sent. */
export interface DecodedBody {
  readonly value: unknown
  /** The paths of keys that came twice. */
  readonly duplicates: readonly string[]
}
