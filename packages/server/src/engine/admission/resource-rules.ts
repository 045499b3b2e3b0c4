import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { forbidden, invalid, type StatusCause } from '@hykube/machinery/status'
import { impliedType, pathToText, type Type } from '@hykube/tfplugin/value'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import { type Authorizer, resourceAttributes } from '../../auth/index.ts'
import type { Estate } from '../../estate/index.ts'
import {
  compileConfig,
  type Reference,
  referencesOf,
  type SpecReference,
  type TypeScope,
} from '../../expression/index.ts'
import {
  isOutside,
  type NodeFacts,
  type NodeKind,
  type NodePlace,
  nodeToText,
  type ReferenceTarget,
  repetitionOf,
  resolveReference,
  resolveReferences,
  wholeObject,
} from '../../plan/index.ts'
import { type EstateReader, nodeFacts } from '../estate-reader.ts'

/**
 * What a write of a provider's object must keep to: its references are read, typed, allowed to their writer and lead round in
 * no circle; and what must not be destroyed can't be deleted.
 */
export function resourceRules(reader: EstateReader, estate: Estate, authorizer: Authorizer): AdmissionPlugin {
  const rules = new ResourceRules(reader, estate, authorizer)
  return {
    name: 'ProviderResources',
    handles: ({ type, cluster, subresource }) =>
      subresource === '' && reader.kinds.at(cluster, type.group, type.names.plural) !== undefined,
    validate: (request) => (request.operation === 'DELETE' ? rules.checkDelete(request) : rules.checkWrite(request)),
  }
}

class ResourceRules {
  readonly #reader: EstateReader
  readonly #estate: Estate
  readonly #authorizer: Authorizer

  constructor(reader: EstateReader, estate: Estate, authorizer: Authorizer) {
    this.#reader = reader
    this.#estate = estate
    this.#authorizer = authorizer
  }

  async checkWrite(request: AdmissionRequest): Promise<void> {
    const { object, old, type } = request
    if (object === undefined || sameSpec(object, old)) return
    const { place, kind } = this.#subject(request)
    const node = nodeFacts(place, kind, object)
    const { references, problems } = referencesOf(kind.schema.block, node.spec)
    const causes = [
      ...problems.map(({ path, message }) => cause(`spec.${pathToText(path)}`, message)),
      ...this.#checkTargets(request, node, references, old),
      ...this.#checkTypes(node),
    ]
    if (causes.length === 0) causes.push(...(await this.#checkAttributes(node, references)))
    if (causes.length === 0) causes.push(...(await this.#checkCycle(node, references)))
    if (causes.length > 0) throw invalid({ group: type.group, kind: type.names.kind }, place.name, causes)
  }

  async checkDelete(request: AdmissionRequest): Promise<void> {
    const { place, kind } = this.#subject(request)
    const states = (await this.#estate.states(place)).filter((each) => isOutside(place, each))
    if (states.length === 0) return
    const { lifecycle } = (request.old?.spec ?? {}) as JsonObject
    const isPrevented =
      states.some(({ current }) => current?.record.preventDestroy === true) ||
      (isJsonObject(lifecycle) && lifecycle.prevent_destroy === true)
    if (isPrevented)
      throw forbidden(
        { group: kind.group, resource: kind.resource },
        place.name,
        'lifecycle.prevent_destroy is set: take it away and apply that first',
      )
    request.warn(
      'nothing is destroyed until a plan is applied: the object stays until then, so use --wait=false, and undelete takes it back',
    )
  }

  #subject({ cluster, type, namespace, name }: AdmissionRequest): { place: NodePlace; kind: NodeKind } {
    const { group, names } = type
    const place = { cluster, group, resource: names.plural, namespace, name }
    return { place, kind: this.#reader.kinds.at(cluster, group, names.plural)! }
  }

  // Each reference that is added or changed needs the permission to read what it leads to.
  #checkTargets(
    { user, cluster }: AdmissionRequest,
    node: NodeFacts,
    references: readonly SpecReference[],
    old: KubernetesObject | undefined,
  ): StatusCause[] {
    const before = this.#textsOf(node, old)
    return references.flatMap(({ reference, path }) => {
      const target = resolveReference(node, reference, this.#reader.kinds)
      if (target === undefined) return []
      const field = `spec.${pathToText(path)}`
      if ('problem' in target) return [cause(field, `${target.text}: ${target.problem}`)]
      if (before.has(target.text)) return []
      const { group, resource, namespace, name } = target.place
      const needed = isSensitive(target) ? 'sensitive' : ''
      const attributes = resourceAttributes({
        user,
        cluster,
        verb: 'get',
        apiGroup: group,
        resource,
        subresource: needed,
        namespace,
        name,
      })
      if (this.#authorizer.authorize(attributes).allowed) return []
      const what = `${resource}${needed === '' ? '' : `/${needed}`}.${group}`.replace(/\.$/, '')
      throw forbidden(
        { group: node.kind.group, resource: node.kind.resource },
        node.place.name,
        `${field} refers to ${target.text}: user ${JSON.stringify(user.name)} can not get ${what} ${JSON.stringify(name)} in namespace ${JSON.stringify(namespace)}`,
      )
    })
  }

  #textsOf(node: NodeFacts, old: KubernetesObject | undefined): ReadonlySet<string> {
    if (old === undefined) return new Set()
    const { references } = referencesOf(node.kind.schema.block, (old.spec ?? {}) as JsonObject)
    const { targets } = resolveReferences(
      node,
      references.map(({ reference }) => reference),
      this.#reader.kinds,
    )
    return new Set(targets.map(({ text }) => text))
  }

  #checkTypes(node: NodeFacts): StatusCause[] {
    const types: TypeScope = { typeOf: (reference) => this.#typeOf(node, reference) }
    return compileConfig(node.kind.schema.block, node.spec)
      .check(types)
      .map(({ path, message }) => cause(`spec.${pathToText(path)}`, message))
  }

  // Of an object that is not there nobody knows whether it has one instance or many.
  #typeOf(node: NodeFacts, reference: Reference): Type | undefined {
    if (reference.kind !== 'resource') return undefined
    const target = resolveReference(node, reference, this.#reader.kinds)
    if (target === undefined || 'problem' in target || target.kind === undefined) return undefined
    const one = impliedType(target.kind.schema.block)
    if (reference.instance.kind !== 'none') return one
    return isKnownAttribute(target) ? one : undefined
  }

  // What the type does not have may be a key of for_each, unless the target is known to have one instance.
  async #checkAttributes(node: NodeFacts, references: readonly SpecReference[]): Promise<StatusCause[]> {
    const causes: StatusCause[] = []
    for (const { reference, path } of references) {
      const target = resolveReference(node, reference, this.#reader.kinds)
      if (target === undefined || 'problem' in target || target.kind === undefined) continue
      if (reference.kind !== 'resource' || reference.instance.kind !== 'none') continue
      if (target.attribute === wholeObject || isKnownAttribute(target)) continue
      const other = await this.#reader.node(target.place)
      if (other === undefined || repetitionOf(other.spec) !== 'single') continue
      const problem = `${target.text}: ${target.kind.type} has no attribute ${JSON.stringify(target.attribute)}`
      causes.push(cause(`spec.${pathToText(path)}`, problem))
    }
    return causes
  }

  async #checkCycle(node: NodeFacts, references: readonly SpecReference[]): Promise<StatusCause[]> {
    const own = nodeToText(node.place)
    const start = this.#targetsOf(node, references)
    const from = new Map(start.map((target) => [nodeToText(target), own]))
    const open = [...start]
    for (let at = open.pop(); at !== undefined && from.size < mostVisited; at = open.pop()) {
      const text = nodeToText(at)
      if (text === own) return [cause('spec', `it would depend on itself: ${wayTo(own, from)}`)]
      const other = await this.#reader.node(at)
      if (other === undefined) continue
      for (const next of this.#targetsOf(other, referencesOf(undefined, other.spec).references)) {
        const nextText = nodeToText(next)
        if (from.has(nextText)) continue
        from.set(nextText, text)
        open.push(next)
      }
    }
    return []
  }

  #targetsOf(node: NodeFacts, references: readonly SpecReference[]): NodePlace[] {
    const all = references.map(({ reference }) => reference)
    return resolveReferences(node, all, this.#reader.kinds)
      .targets.filter(({ kind }) => kind !== undefined)
      .map(({ place }) => place)
  }
}

// A circle that is longer is found by the planner.
const mostVisited = 10_000

function wayTo(own: string, from: ReadonlyMap<string, string>): string {
  const way = [own]
  for (let at = from.get(own); at !== undefined && at !== own; at = from.get(at)) way.push(at)
  way.push(own)
  return way
    .reverse()
    .map((text) => text.split('/').slice(1).join('/'))
    .join(' → ')
}

function isSensitive({ kind, attribute }: ReferenceTarget): boolean {
  return kind?.schema.block.attributes.some(({ name, sensitive }) => name === attribute && sensitive) === true
}

function isKnownAttribute({ kind, attribute }: ReferenceTarget): boolean {
  const { attributes = [], blocks = [] } = kind?.schema.block ?? {}
  return [...attributes, ...blocks].some(({ name }) => name === attribute)
}

function sameSpec(object: KubernetesObject, old: KubernetesObject | undefined): boolean {
  return old !== undefined && jsonEquals((object.spec ?? null) as JsonValue, (old.spec ?? null) as JsonValue)
}

function cause(field: string, message: string): StatusCause {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${message}` }
}
