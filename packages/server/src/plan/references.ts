import { type Reference, type ResourceReference, referenceToText } from '../expression/index.ts'
import type { KindCatalogue, NodeKind, ResolvedProviders } from './facts.ts'
import { type NodePlace, nodeToText } from './vocabulary/place.ts'

/** What a reference leads to. */
export interface ReferenceTarget {
  readonly reference: Reference
  readonly text: string
  readonly place: NodePlace
  /** The attribute, or the key of a Secret or ConfigMap; `*` for the object as a whole. */
  readonly attribute: string
  /** For references to objects of providers. */
  readonly kind?: NodeKind
}

/** Why a reference leads nowhere. */
export interface BrokenReference {
  readonly text: string
  readonly problem: string
}

/** In place of an attribute's name: the object as a whole. */
export const wholeObject = '*'

/** Who refers: an object of a provider, or a configuration of one. */
export interface Referring {
  readonly place: NodePlace
  readonly kind: Pick<NodeKind, 'provider'>
  /** Default: no reference was resolved before. */
  readonly resolved?: ResolvedProviders
}

/** The address of a bare reference's target, as the key of resolved Providers. */
export function bareAddress({ data, type, namespace, name }: ResourceReference): string {
  return `${data ? 'data.' : ''}${type}.${namespace === undefined ? '' : `${namespace}/`}${name}`
}

/** Where references of an object lead; those to the instance itself (`each`, `count`) lead nowhere else and are left out. */
export function resolveReferences(
  node: Referring,
  references: readonly Reference[],
  kinds: KindCatalogue,
): { readonly targets: readonly ReferenceTarget[]; readonly broken: readonly BrokenReference[] } {
  const targets: ReferenceTarget[] = []
  const broken: BrokenReference[] = []
  for (const reference of references) {
    const found = resolveReference(node, reference, kinds)
    if (found === undefined) continue
    if ('problem' in found) broken.push(found)
    else targets.push(found)
  }
  return { targets, broken }
}

/** Where one reference leads; undefined for one to the instance itself. */
export function resolveReference(
  { place, kind, resolved }: Referring,
  reference: Reference,
  kinds: KindCatalogue,
): ReferenceTarget | BrokenReference | undefined {
  const text = referenceToText(reference)
  switch (reference.kind) {
    case 'resource':
      return resourceTarget(place, kind.provider, resolved, reference, text, kinds)
    case 'secret':
    case 'configmap': {
      const { namespace = place.namespace, name, key } = reference
      const resource = reference.kind === 'secret' ? 'secrets' : 'configmaps'
      return {
        reference,
        text,
        attribute: key,
        place: { cluster: place.cluster, group: '', resource, namespace, name },
      }
    }
    default:
      return undefined
  }
}

function resourceTarget(
  { cluster, namespace: own }: NodePlace,
  ownProvider: string,
  resolved: ResolvedProviders | undefined,
  reference: ResourceReference,
  text: string,
  kinds: KindCatalogue,
): ReferenceTarget | BrokenReference {
  const what = `${reference.data ? 'data source' : 'resource'} type ${reference.type}`
  const { data, type, provider } = reference
  const kept = provider === undefined ? resolved?.get(bareAddress(reference)) : undefined
  const wanted = provider ?? kept
  const kind = kinds.find(cluster, ownProvider, { data, type, ...(wanted !== undefined && { provider: wanted }) })
  if (kind === undefined && kept !== undefined)
    return {
      text,
      problem: `Provider ${JSON.stringify(kept)}, which it was resolved to, has no ${what} any more: say which one is meant, as in provider["name"].${text}`,
    }
  if (kind === undefined) return { text, problem: `no installed provider has the ${what}` }
  if (kind === 'ambiguous')
    return { text, problem: `several providers have the ${what}: say which, as in provider["name"].${text}` }
  const { namespace = own, name, path } = reference
  const [first] = path
  const attribute = first?.kind === 'attribute' ? first.name : wholeObject
  return {
    reference,
    text,
    kind,
    attribute,
    place: { cluster, group: kind.group, resource: kind.resource, namespace, name },
  }
}

/** Whether a data source is not read before a managed object that it refers to was changed, whatever it uses of it. */
export function waitsFor({ data }: NodeKind, { kind }: ReferenceTarget): boolean {
  return data && kind?.data === false
}

/** What of a target must change for the object to be looked at. */
export function usedAttribute(kind: NodeKind, target: ReferenceTarget): string {
  return waitsFor(kind, target) ? wholeObject : target.attribute
}

/** The different objects that targets lead to, as texts. */
export function nodesOf(targets: readonly ReferenceTarget[]): readonly string[] {
  return [...new Set(targets.map(({ place }) => nodeToText(place)))]
}
