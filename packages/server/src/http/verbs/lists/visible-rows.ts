import type { KubernetesObject } from '@hykube/machinery/object'
import type { RowSource, RowsOfResource, View } from '@hykube/machinery/resource-type'
import { type Authorizer, resourceAttributes, type UserInfo } from '../../../auth/index.ts'
import { groupRange, type ObjectLocation } from '../../../resource/index.ts'
import type { Range } from '../../../storage/index.ts'
import { withCluster } from '../../presentation/cluster-annotation.ts'
import type { Target } from '../../target.ts'
import type { Selection } from './selection.ts'

export interface VisibleRowsOptions {
  readonly authorizer: Authorizer
  readonly user: UserInfo
  readonly verb: 'list' | 'watch'
  readonly view: View
  readonly target: Target
  readonly selection: Selection
}

/** The place of an object that may have a row. */
export interface SourcePlace extends ObjectLocation {
  readonly group: string
  readonly resource: string
}

/** The key range of a group's objects. */
export interface SourceRange extends Range {
  readonly group: string
}

/**
 * The rows of a view that a request selects and its user may see: those of objects that the user may list or watch, by the
 * verb of the request. Permissions are looked up once for each resource and namespace, so an instance serves one read.
 */
export class VisibleRows {
  readonly #options: VisibleRowsOptions
  /** The only object that is selected; undefined without a selector by name, null when no row can have the name. */
  readonly #named: RowSource | null | undefined
  readonly #resources = new Map<string, VisibleResource | undefined>()
  readonly #namespaces = new Map<string, readonly string[]>()
  #ranges: readonly SourceRange[] | undefined

  constructor(options: VisibleRowsOptions) {
    this.#options = options
    const { selection, view, target } = options
    // Across clusters a name stands for an object of each.
    if (selection.name !== undefined && !target.allClusters)
      this.#named = view.sourceOf(target.place.cluster, selection.name) ?? null
  }

  /** The key ranges of the objects that rows are computed from, in key order. */
  get ranges(): readonly SourceRange[] {
    this.#ranges ??= this.#rangesOfGroups()
    return this.#ranges
  }

  /** The place of a continue token. A list of one cluster stays in it. */
  placeOf(source: { readonly group: string; readonly resource: string }, place: ObjectLocation): SourcePlace {
    const { target } = this.#options
    return { ...place, ...source, ...(!target.allClusters && { cluster: target.place.cluster }) }
  }

  /** True when the user may see the row of the object at a place, unless the row itself is not selected. */
  isVisible(place: SourcePlace): boolean {
    return this.#isWanted(place.namespace) && this.#resource(place)?.isAllowedIn(place.namespace) === true
  }

  /** The row of a visible object; undefined when it is not selected. */
  row(place: SourcePlace, object: () => KubernetesObject): KubernetesObject | undefined {
    const { target, selection } = this.#options
    if (this.#named !== undefined && this.#named?.name !== place.name) return undefined
    const row = this.#resource(place)!.rows.row(object())
    if (!selection.matches(row)) return undefined
    return target.allClusters ? withCluster(row, place.cluster) : row
  }

  /**
   * The place after which the next visible object is looked for, behind an object that is not visible. Whole resources and
   * namespaces are skipped, so that the cost of a list does not depend on the number of objects that are not in it.
   */
  skip(place: SourcePlace): SourcePlace {
    const resource = this.#resource(place)
    if (resource === undefined) return endOf(place)
    const { namespace } = this.#options.target.place
    const candidates = resource.isAllowedIn('') ? [namespace] : this.#namespacesOf(place.cluster)
    const next = candidates.find((each) => each > place.namespace && this.#isWanted(each) && resource.isAllowedIn(each))
    return next === undefined ? endOf(place) : { ...place, namespace: next, name: '' }
  }

  #isWanted(namespace: string): boolean {
    const { target } = this.#options
    return target.place.namespace === '' || target.place.namespace === namespace
  }

  #rangesOfGroups(): readonly SourceRange[] {
    const { view, target, selection } = this.#options
    const named = this.#named
    if (named === null) return []
    const { cluster, namespace } = target.place
    const groups = view.groups(cluster).filter((group) => named === undefined || group === named.group)
    const wanted = (namespace === '' ? selection.namespace : namespace) || undefined
    return groups.map((group) => ({
      group,
      ...(target.allClusters ? groupRange(group) : groupRange(group, cluster, wanted)),
    }))
  }

  #namespacesOf(cluster: string): readonly string[] {
    const { authorizer, user } = this.#options
    const known = this.#namespaces.get(cluster) ?? authorizer.namespacesOf(user, cluster)
    this.#namespaces.set(cluster, known)
    return known
  }

  #resource({ cluster, group, resource }: SourcePlace): VisibleResource | undefined {
    const key = `${cluster}/${group}/${resource}`
    if (!this.#resources.has(key)) this.#resources.set(key, this.#look(cluster, group, resource))
    return this.#resources.get(key)
  }

  #look(cluster: string, group: string, resource: string): VisibleResource | undefined {
    const { view, selection, authorizer, user, verb } = this.#options
    if (this.#named === null) return undefined
    if (this.#named !== undefined && (this.#named.group !== group || this.#named.resource !== resource))
      return undefined
    const rows = view.rowsOf(cluster, group, resource)
    if (rows === undefined || !selection.couldMatch(rows.fields)) return undefined
    const name = this.#named?.name ?? ''
    const attributes = { user, verb, cluster, apiGroup: group, resource, name }
    return new VisibleResource(
      rows,
      (namespace) => authorizer.authorize(resourceAttributes({ ...attributes, namespace })).allowed,
    )
  }
}

/** A resource with the namespaces in which the user may see its objects. */
class VisibleResource {
  readonly rows: RowsOfResource
  readonly #ask: (namespace: string) => boolean
  readonly #answers = new Map<string, boolean>()

  constructor(rows: RowsOfResource, ask: (namespace: string) => boolean) {
    this.rows = rows
    this.#ask = ask
  }

  /** The namespace '' asks for all of them. */
  isAllowedIn(namespace: string): boolean {
    const known = this.#answers.get(namespace)
    if (known !== undefined) return known
    const answer = (namespace !== '' && this.isAllowedIn('')) || this.#ask(namespace)
    this.#answers.set(namespace, answer)
    return answer
  }
}

// No name of a namespace sorts after this one.
function endOf(place: SourcePlace): SourcePlace {
  return { ...place, namespace: '\u{10ffff}', name: '' }
}
