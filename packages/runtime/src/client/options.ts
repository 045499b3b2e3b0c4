/** The representation of objects in responses: whole, or only their metadata (PartialObjectMetadata). */
export type ObjectForm = 'object' | 'metadata'

/** Options of every request. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  /** Default `object`. */
  readonly form?: ObjectForm | undefined
}

/** Selectors of objects. */
export interface SelectOptions {
  /** Default: all. */
  readonly labelSelector?: string | undefined
  /** Default: all. */
  readonly fieldSelector?: string | undefined
}

/** Options of a list. */
export interface ListOptions extends RequestOptions, SelectOptions {
  /** The page size. Default: everything in one response. */
  readonly limit?: number | undefined
  /** The continue token of the previous page. */
  readonly continue?: string | undefined
  readonly resourceVersion?: string | undefined
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined
}

/** Options of a watch. */
export interface WatchOptions extends RequestOptions, SelectOptions {
  /** Starts after this revision. Default: the current state as ADDED events, then changes. */
  readonly resourceVersion?: string | undefined
  /** Default true. */
  readonly allowWatchBookmarks?: boolean | undefined
  /** Default: the server's. */
  readonly timeoutSeconds?: number | undefined
  readonly sendInitialEvents?: boolean | undefined
}

/** Options of a write. */
export interface WriteOptions extends RequestOptions {
  /** Default: the client's. */
  readonly fieldManager?: string | undefined
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined
  /** Validates and admits the write without storing it. Default false. */
  readonly dryRun?: boolean | undefined
}

/** A patch in one of the formats of the API. */
export type Patch =
  | { readonly kind: 'json'; readonly operations: readonly object[] }
  | { readonly kind: 'merge'; readonly patch: object }
  | { readonly kind: 'strategic'; readonly patch: object }
  /** Server-side apply; `force` takes fields away from other managers. */
  | { readonly kind: 'apply'; readonly object: object; readonly force?: boolean }

/** Options of a delete. */
export interface DeleteOptions extends RequestOptions {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined
  readonly gracePeriodSeconds?: number | undefined
  /** Fails with Conflict unless the object has this uid and revision. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined
  readonly dryRun?: boolean | undefined
}

/** Encodes options as a query string; undefined and empty values are omitted. */
export function queryFrom(options: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && value !== '') query.set(name, String(value))
  return query.toString()
}
