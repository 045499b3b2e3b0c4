import type { UserInfo } from '../auth/index.ts'
import type { Turns } from './flow-control/fair-seats.ts'
import type { Request } from './front/index.ts'
import type { RequestPath } from './request-path.ts'

/** A request with the results of authentication and routing. */
export interface RequestContext<P extends RequestPath = RequestPath> {
  readonly request: Request
  readonly path: P
  readonly query: URLSearchParams
  readonly user: UserInfo
  /** Texts of the Warning headers of the response, in order; duplicates are sent once. */
  readonly warnings: string[]
  /** Long work is done in pieces: await a turn before each piece. */
  readonly turns: Turns
}
