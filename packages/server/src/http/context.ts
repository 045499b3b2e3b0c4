import type { Turns } from './flow-control/fair-seats.ts'
import type { Request } from './front/index.ts'
import type { RequestPath } from './request-path.ts'

/** The authenticated or impersonated user of a request. */
export interface User {
  readonly name: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** A request with the results of authentication and routing. */
export interface RequestContext<P extends RequestPath = RequestPath> {
  readonly request: Request
  readonly path: P
  readonly query: URLSearchParams
  readonly user: User
  /** Texts of the Warning headers of the response, in order; duplicates are sent once. */
  readonly warnings: string[]
  /** Long work is done in pieces: await a turn before each piece. */
  readonly turns: Turns
}
