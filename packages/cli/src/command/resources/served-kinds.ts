import { similarName } from '@hykube/machinery/base'
import type { GroupVersionKind } from '@hykube/machinery/object'
import { type ApiResource, type Client, failedWith } from '@hykube/runtime/client'

/** The kinds of a server, discovered by group and cached. */
export interface ServedKinds {
  /** Discovers again before it returns undefined. */
  find(kind: GroupVersionKind): Promise<ApiResource | undefined>
  /** A kind of the same group with a similar name. */
  suggest(kind: GroupVersionKind): Promise<string | undefined>
}

export function servedKinds(client: Client): ServedKinds {
  const known = new Map<string, Promise<readonly ApiResource[]>>()
  const kindsOf = (group: string, version: string, again = false) => {
    const key = `${group}/${version}`
    if (again || !known.has(key)) known.set(key, listKinds(client, group, version))
    return known.get(key)!
  }
  return {
    async find({ group, version, kind }) {
      const isIt = (each: ApiResource) => each.kind === kind
      // The kind may have been added since the group was discovered.
      return (await kindsOf(group, version)).find(isIt) ?? (await kindsOf(group, version, true)).find(isIt)
    },
    async suggest({ group, version, kind }) {
      return similarName(
        kind,
        (await kindsOf(group, version)).map((each) => each.kind),
      )
    },
  }
}

interface ResourceList {
  readonly resources?: readonly {
    readonly name: string
    readonly singularName?: string
    readonly kind: string
    readonly namespaced: boolean
    readonly verbs?: readonly string[]
  }[]
}

async function listKinds(client: Client, group: string, version: string): Promise<readonly ApiResource[]> {
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  try {
    const { resources = [] } = await client.raw<ResourceList>({ method: 'GET', path })
    return resources
      .filter(({ name }) => !name.includes('/'))
      .map(({ name, singularName: singular, kind, namespaced, verbs = [] }) => ({
        ...{ group, version, kind, namespaced, verbs },
        resource: name,
        ...(singular !== undefined && { singular }),
        subresources: resources
          .filter((each) => each.name.startsWith(`${name}/`))
          .map((each) => each.name.slice(name.length + 1)),
        preferred: true,
      }))
  } catch (error) {
    if (failedWith(error, 'NotFound')) return []
    throw error
  }
}
