import type { Condition } from '@hykube/machinery/object'
import { type Client, type ObjectAt, queryFrom, resourcePath } from '@hykube/runtime/client'
import { tokenPages } from './token-pages.ts'

/** An instance of an object with `count` or `for_each`. */
export interface Instance {
  readonly index?: number
  readonly key?: string
  readonly address: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly conditions?: readonly Condition[]
}

/** The instances of an object, page by page. */
export async function* instancePages(client: Client, at: ObjectAt, limit = 500): AsyncGenerator<readonly Instance[]> {
  const path = resourcePath({ ...at, subresource: 'instances' })
  const pages = tokenPages<InstanceList>((token) =>
    client.raw({ method: 'GET', path, query: queryFrom({ limit, continue: token }) }),
  )
  for await (const { items } of pages) yield items ?? []
}

interface InstanceList {
  readonly metadata?: { readonly continue?: string }
  readonly items?: readonly Instance[]
}
