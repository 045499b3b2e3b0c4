import { type JsonObject, type JsonValue, jsonEquals } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { forbidden, invalid, type StatusCause } from '@hykube/machinery/status'
import { impliedType } from '@hykube/tfplugin/schema'
import { pathToText, type Type } from '@hykube/tfplugin/value'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import type { Authorizer } from '../../auth/index.ts'
import type { Estate } from '../../estate/index.ts'
import { type EstateReader, resourceObject } from '../../estate/index.ts'
import {
  configurationOf,
  type ReferenceTarget,
  repetitionOf,
  resolveReference,
  wholeObject,
} from '../../evaluation/index.ts'
import {
  compileConfig,
  type Reference,
  referencesOf,
  type SpecReference,
  type TypeScope,
} from '../../expression/index.ts'
import {
  addressOf,
  hasRealResource,
  type ResourceKind,
  type ResourceObject,
  type ResourceRef,
} from '../../model/index.ts'
import { isKeptFromDestruction } from '../kept-from-destruction.ts'
import { findCycle, targetsOfObject } from './dependency-cycle.ts'
import { invalidReference, ReferencePermissions } from './reference-permissions.ts'

/**
 * Validates writes of providers' objects: references must parse, have fitting types, be readable by the user and form no cycle. Rejects the
 * deletion of an object with prevent_destroy.
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
    const { ref, kind } = this.#subject(request)
    const resource = resourceObject(ref, kind, object)
    const { references, problems } = referencesOf(kind.schema.block, resource.spec)
    const causes = [
      ...problems.map(({ path, message }) => invalidReference(`spec.${pathToText(path)}`, message)),
      ...(await this.#permissions.check(request, resource, references, this.#referencesOf(resource, old), 'spec')),
      ...this.#checkTypes(resource),
    ]
    if (causes.length === 0) causes.push(...(await this.#checkAttributes(resource, references)))
    if (causes.length === 0)
      causes.push(...(await findCycle(ref, targetsOfObject(resource, this.#reader), this.#reader)))
    if (causes.length > 0) throw invalid({ group: type.group, kind: type.names.kind }, ref.name, causes)
  }

  async checkDelete(request: AdmissionRequest): Promise<void> {
    const { ref, kind } = this.#subject(request)
    const states = (await this.#estate.states(ref)).filter((each) => hasRealResource(ref, each))
    if (states.length === 0) return
    if (isKeptFromDestruction(states, request.old?.spec as JsonObject | undefined))
      throw forbidden(
        { group: kind.group, resource: kind.resource },
        ref.name,
        `lifecycle.prevent_destroy is set, or was when the object was last planned: remove it, run "hykube plan -n ${ref.namespace}" so that the removal takes effect, then delete the object`,
      )
    request.warn(
      `nothing is destroyed until a plan is applied: the object stays until then, so use --wait=false; to keep it, run "hykube undelete ${addressOf({ ref, kind })} -n ${ref.namespace}"`,
    )
  }

  #subject({ cluster, type, namespace, name }: AdmissionRequest): { ref: ResourceRef; kind: ResourceKind } {
    const { group, names } = type
    const ref = { cluster, group, resource: names.plural, namespace, name }
    return { ref, kind: this.#reader.kinds.at(cluster, group, names.plural)! }
  }

  // Another ProviderConfig may send every value elsewhere, so that all references are new uses then.
  #referencesOf({ kind, spec }: ResourceObject, old: KubernetesObject | undefined): readonly SpecReference[] {
    const oldSpec = (old?.spec ?? {}) as JsonObject
    if (configurationOf(oldSpec) !== configurationOf(spec)) return []
    return referencesOf(kind.schema.block, oldSpec).references
  }

  #checkTypes(resource: ResourceObject): StatusCause[] {
    const types: TypeScope = { typeOf: (reference) => this.#typeOf(resource, reference) }
    return compileConfig(resource.kind.schema.block, resource.spec)
      .check(types)
      .map(({ path, message }) => invalidReference(`spec.${pathToText(path)}`, message))
  }

  // Undefined when the target may have several instances: it may not exist yet, and then its count is unknown.
  #typeOf(resource: ResourceObject, reference: Reference): Type | undefined {
    if (reference.kind !== 'resource') return undefined
    const target = resolveReference(resource, reference, this.#reader.kinds)
    if (target === undefined || 'problem' in target || target.kind === undefined) return undefined
    const one = impliedType(target.kind.schema.block)
    if (reference.instance.kind !== 'none') return one
    return isKnownAttribute(target) ? one : undefined
  }

  // An unknown attribute is an error only if the target exists without count and for_each; otherwise it may be an instance key.
  async #checkAttributes(resource: ResourceObject, references: readonly SpecReference[]): Promise<StatusCause[]> {
    const causes: StatusCause[] = []
    for (const { reference, path } of references) {
      const target = resolveReference(resource, reference, this.#reader.kinds)
      if (target === undefined || 'problem' in target || target.kind === undefined) continue
      if (reference.kind !== 'resource' || reference.instance.kind !== 'none') continue
      if (target.attribute === wholeObject || isKnownAttribute(target)) continue
      const other = await this.#reader.object(target.ref)
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
