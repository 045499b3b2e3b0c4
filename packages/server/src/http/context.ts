import type { Request } from './front/index.ts'
import type { RequestPath } from './request-path.ts'

/** Who asks. */
export interface User {
  readonly name: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** A request on its way through the server. */
export interface RequestContext<P extends RequestPath = RequestPath> {
  readonly request: Request
  readonly path: P
  readonly query: URLSearchParams
  readonly user: User
  /** What the client is told beside the answer, each once, in order. */
  readonly warnings: string[]
  /** What takes long is done in pieces; resolves when it is this user's turn to do the next. */
  turn(): Promise<void>
}
