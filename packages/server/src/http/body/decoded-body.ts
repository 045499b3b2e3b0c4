/** A decoded request body. */
export interface DecodedBody {
  readonly value: unknown
  /** Paths of duplicate keys. */
  readonly duplicates: readonly string[]
}
