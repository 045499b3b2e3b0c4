import { type JsonObject, type JsonValue, jsonEquals } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { forbidden, invalid, type StatusCause } from '@hykube/machinery/status'
import { impliedType, pathToText, type Type } from '@hykube/tfplugin/value'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import type { Authorizer } from '../../auth/index.ts'
import type { Estate } from '../../estate/index.ts'
import {
  compileConfig,
  type Reference,
  referencesOf,
  type SpecReference,
  type TypeScope,
} from '../../expression/index.ts'
import {
  configurationOf,
  isOutside,
  type NodeFacts,
  type NodeKind,
  type NodePlace,
  type ReferenceTarget,
  repetitionOf,
  resolveReference,
  wholeObject,
} from '../../plan/index.ts'
import { type EstateReader, nodeFacts } from '../estate-reader.ts'
import { isKeptFromDestruction } from '../kept-from-destruction.ts'
import { findCircle, targetsOfNode } from './dependency-circle.ts'
import { invalidReference, ReferencePermissions } from './reference-permissions.ts'

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
  readonly #permissions: ReferencePermissions

  constructor(reader: EstateReader, estate: Estate, authorizer: Authorizer) {
    this.#reader = reader
    this.#estate = estate
    this.#permissions = new ReferencePermissions(authorizer, reader, estate)
  }

  async checkWrite(request: AdmissionRequest): Promise<void> {
    const { object, old, type } = request
    if (object === undefined || sameSpec(object, old)) return
    const { place, kind } = this.#subject(request)
    const node = nodeFacts(place, kind, object)
    const { references, problems } = referencesOf(kind.schema.block, node.spec)
    const causes = [
      ...problems.map(({ path, message }) => invalidReference(`spec.${pathToText(path)}`, message)),
      ...(await this.#permissions.check(request, node, references, this.#referencesOf(node, old), 'spec')),
      ...this.#checkTypes(node),
    ]
    if (causes.length === 0) causes.push(...(await this.#checkAttributes(node, references)))
    if (causes.length === 0) causes.push(...(await findCircle(place, targetsOfNode(node, this.#reader), this.#reader)))
    if (causes.length > 0) throw invalid({ group: type.group, kind: type.names.kind }, place.name, causes)
  }

  async checkDelete(request: AdmissionRequest): Promise<void> {
    const { place, kind } = this.#subject(request)
    const states = (await this.#estate.states(place)).filter((each) => isOutside(place, each))
    if (states.length === 0) return
    if (isKeptFromDestruction(states, request.old?.spec as JsonObject | undefined))
      throw forbidden(
        { group: kind.group, resource: kind.resource },
        place.name,
        'lifecycle.prevent_destroy is set, or was when the object was last planned: remove it, run "hykube plan" so that the removal takes effect, then delete the object',
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

  // With another configuration of the provider every value goes elsewhere.
  #referencesOf({ kind, spec }: NodeFacts, old: KubernetesObject | undefined): readonly SpecReference[] {
    const oldSpec = (old?.spec ?? {}) as JsonObject
    if (configurationOf(oldSpec) !== configurationOf(spec)) return []
    return referencesOf(kind.schema.block, oldSpec).references
  }

  #checkTypes(node: NodeFacts): StatusCause[] {
    const types: TypeScope = { typeOf: (reference) => this.#typeOf(node, reference) }
    return compileConfig(node.kind.schema.block, node.spec)
      .check(types)
      .map(({ path, message }) => invalidReference(`spec.${pathToText(path)}`, message))
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
      causes.push(invalidReference(`spec.${pathToText(path)}`, problem))
    }
    return causes
  }
}

function isKnownAttribute({ kind, attribute }: ReferenceTarget): boolean {
  const { attributes = [], blocks = [] } = kind?.schema.block ?? {}
  return [...attributes, ...blocks].some(({ name }) => name === attribute)
}

function sameSpec(object: KubernetesObject, old: KubernetesObject | undefined): boolean {
  return old !== undefined && jsonEquals((object.spec ?? null) as JsonValue, (old.spec ?? null) as JsonValue)
}
