import type { Spec } from '../scenario.ts'

/** A resource or data source in both languages: as an object's specification, and as HCL. */
export interface Declared {
  readonly address: string
  readonly spec: Spec
  readonly hcl: string
}

/** A configuration, and what becomes of it. Names begin with `c` and the number of the case, so that many share a cloud. */
export interface Case {
  readonly number: number
  readonly before: readonly Declared[]
  readonly after: readonly Declared[]
  /** Addresses whose objects are changed or taken away outside between the two. */
  readonly drifted: readonly string[]
  readonly gone: readonly string[]
  /** Addresses that shall be replaced. */
  readonly replaced: readonly string[]
}

/** The number of the case that an address belongs to; undefined when it belongs to none. */
export function caseOf(address: string): number | undefined {
  const found = /\.c(\d+)[a-z]/.exec(address)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** Changes of real resources behind the provider's back, by type. */
export type Drift = Readonly<Record<string, Readonly<Record<string, unknown>>>>
