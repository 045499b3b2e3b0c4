import { type Reference, type ResourceReference, referenceToText } from '../expression/index.ts'
import type { KindCatalogue, ResolvedProviders, ResourceKind } from '../model/index.ts'
import { type ResourceRef, refToText } from '../model/index.ts'

/** The target of a resolved reference. */
export interface ReferenceTarget {
  readonly reference: Reference
  readonly text: string
  readonly ref: ResourceRef
  /** The attribute, or the key of a Secret or ConfigMap; `*` for the object as a whole. */
  readonly attribute: string
  /** Set for references to providers' objects, not for Secrets and ConfigMaps. */
  readonly kind?: ResourceKind
}

/** A reference that can't be resolved. */
export interface BrokenReference {
  readonly text: string
  readonly problem: string
}

/** Stands in place of an attribute name for the object as a whole. */
export const wholeObject = '*'

/** The source of references: a provider's object, a Provider or a ProviderConfig. */
export interface Referring {
  readonly ref: ResourceRef
  readonly kind: Pick<ResourceKind, 'provider'>
  /** Providers that bare references were resolved to on write. Default: none. */
  readonly resolved?: ResolvedProviders
}

/** Returns the key of a bare reference in {@link ResolvedProviders}: its address without a provider. */
export function bareAddress({ data, type, namespace, name }: ResourceReference): string {
  return `${data ? 'data.' : ''}${type}.${namespace === undefined ? '' : `${namespace}/`}${name}`
}

/** Resolves the references of an object; references to the instance itself (`each`, `count`) are left out. */
export function resolveReferences(
  referring: Referring,
  references: readonly Reference[],
  kinds: KindCatalogue,
): { readonly targets: readonly ReferenceTarget[]; readonly broken: readonly BrokenReference[] } {
  const targets: ReferenceTarget[] = []
  const broken: BrokenReference[] = []
  for (const reference of references) {
    const found = resolveReference(referring, reference, kinds)
    if (found === undefined) continue
    if ('problem' in found) broken.push(found)
    else targets.push(found)
  }
  return { targets, broken }
}

/** Resolves one reference; undefined for a reference to the instance itself. */
export function resolveReference(
  { ref, kind, resolved }: Referring,
  reference: Reference,
  kinds: KindCatalogue,
): ReferenceTarget | BrokenReference | undefined {
  const text = referenceToText(reference)
  switch (reference.kind) {
    case 'resource':
      return resourceTarget(ref, kind.provider, resolved, reference, text, kinds)
    case 'secret':
    case 'configmap': {
      const { namespace = ref.namespace, name, key } = reference
      const resource = reference.kind === 'secret' ? 'secrets' : 'configmaps'
      return {
        reference,
        text,
        attribute: key,
        ref: { cluster: ref.cluster, group: '', resource, namespace, name },
      }
    }
    default:
      return undefined
  }
}

function resourceTarget(
  { cluster, namespace: own }: ResourceRef,
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
      problem: `Provider ${JSON.stringify(kept)}, which it was resolved to, no longer has the ${what}: name the provider, as in provider["name"].${text}`,
    }
  if (kind === undefined) return { text, problem: `no installed provider has the ${what}` }
  if (kind === 'ambiguous')
    return { text, problem: `several providers have the ${what}: name the provider, as in provider["name"].${text}` }
  const { namespace = own, name, path } = reference
  const [first] = path
  const attribute = first?.kind === 'attribute' ? first.name : wholeObject
  return {
    reference,
    text,
    kind,
    attribute,
    ref: { cluster, group: kind.group, resource: kind.resource, namespace, name },
  }
}

/** True when a data source refers to a managed resource: it is then read only after all changes of that resource, as in Terraform. */
export function waitsFor({ data }: ResourceKind, { kind }: ReferenceTarget): boolean {
  return data && kind?.data === false
}

/** Returns the attribute of a target whose change makes the planner visit the referring object. */
export function usedAttribute(kind: ResourceKind, target: ReferenceTarget): string {
  return waitsFor(kind, target) ? wholeObject : target.attribute
}

/** Returns the distinct objects of targets, as texts of references. */
export function targetRefs(targets: readonly ReferenceTarget[]): readonly string[] {
  return [...new Set(targets.map(({ ref }) => refToText(ref)))]
}
