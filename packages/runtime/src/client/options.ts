/** How an answer shows objects: whole, or their metadata alone. */
export type ObjectForm = 'object' | 'metadata'

/** What every request can be told. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  /** Default `object`. */
  readonly form?: ObjectForm | undefined
}

/** What selects objects. */
export interface SelectOptions {
  /** Default: all. */
  readonly labelSelector?: string | undefined
  /** Default: all. */
  readonly fieldSelector?: string | undefined
}

/** What a list is told. */
export interface ListOptions extends RequestOptions, SelectOptions {
  /** At most so many objects in an answer. Default: all. */
  readonly limit?: number | undefined
  /** Where an earlier answer ended. */
  readonly continue?: string | undefined
  readonly resourceVersion?: string | undefined
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined
}

/** What a watch is told. */
export interface WatchOptions extends RequestOptions, SelectOptions {
  /** Events after this revision; default: the present state as ADDED events, then what happens. */
  readonly resourceVersion?: string | undefined
  /** Default true. */
  readonly allowWatchBookmarks?: boolean | undefined
  /** Default: the server's. */
  readonly timeoutSeconds?: number | undefined
  readonly sendInitialEvents?: boolean | undefined
}

/** What a write is told. */
export interface WriteOptions extends RequestOptions {
  /** Default: the client's. */
  readonly fieldManager?: string | undefined
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined
  /** Everything happens but the storing. Default false. */
  readonly dryRun?: boolean | undefined
}

/** A change of an object in one of the forms that servers take. */
export type Patch =
  | { readonly kind: 'json'; readonly operations: readonly object[] }
  | { readonly kind: 'merge'; readonly patch: object }
  | { readonly kind: 'strategic'; readonly patch: object }
  /** Server-side apply; `force` takes fields away from other managers. */
  | { readonly kind: 'apply'; readonly object: object; readonly force?: boolean }

/** What a delete is told. */
export interface DeleteOptions extends RequestOptions {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined
  readonly gracePeriodSeconds?: number | undefined
  /** Only the object with this uid, at this revision. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined
  readonly dryRun?: boolean | undefined
}

/** The options as a query: what is undefined is left out, `true` and numbers as text. */
export function queryFrom(options: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && value !== '') query.set(name, String(value))
  return query.toString()
}
