import type { JsonObject } from '@hykube/machinery/json'
import { conflict, invalid } from '@hykube/machinery/status'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import { type Authorizer, resourceAttributes } from '../../auth/index.ts'
import { type Estate, importAnnotation } from '../../estate/index.ts'
import { configurationOf, type NodeKind, type NodePlace } from '../../plan/index.ts'
import { claimKey, type ObjectStore } from '../../resource/index.ts'
import { idOf } from '../adopt/id-holders.ts'
import { asksForSame, importClaims, importedIds } from '../adopt/import-claims.ts'
import type { EstateReader } from '../estate-reader.ts'

/** What exists outside belongs to one object: nothing is imported that another object manages or is to import. */
export function importRules(
  reader: EstateReader,
  estate: Estate,
  objects: ObjectStore,
  authorizer: Authorizer,
): AdmissionPlugin {
  return {
    name: 'ImportedResources',
    handles: ({ operation, subresource, cluster, type }) =>
      operation !== 'DELETE' &&
      subresource === '' &&
      reader.kinds.at(cluster, type.group, type.names.plural)?.data === false,
    validate: (request) => new ImportRules(reader, estate, objects, authorizer, request).check(),
  }
}

class ImportRules {
  readonly #reader: EstateReader
  readonly #estate: Estate
  readonly #objects: ObjectStore
  readonly #authorizer: Authorizer
  readonly #request: AdmissionRequest
  readonly #place: NodePlace

  constructor(
    reader: EstateReader,
    estate: Estate,
    objects: ObjectStore,
    authorizer: Authorizer,
    request: AdmissionRequest,
  ) {
    const { cluster, type, namespace, object } = request
    this.#reader = reader
    this.#estate = estate
    this.#objects = objects
    this.#authorizer = authorizer
    this.#request = request
    this.#place = {
      cluster,
      group: type.group,
      resource: type.names.plural,
      namespace,
      name: object?.metadata?.name ?? '',
    }
  }

  async check(): Promise<void> {
    const { object, old } = this.#request
    if (object === undefined || asksForSame(object, old)) return
    const ids = importedIds(object)
    if (ids.length === 0) return
    if (new Set(ids).size < ids.length) throw this.#twice()
    await this.#checkOwn(ids)
    await this.#checkClaims()
    const kind = this.#reader.kinds.at(this.#place.cluster, this.#place.group, this.#place.resource)!
    for (const id of ids) await this.#checkHolder(kind, id)
  }

  // An object that manages something can't be tied to something else: that would be lost.
  async #checkOwn(ids: readonly string[]): Promise<void> {
    for (const { current } of await this.#estate.states(this.#place)) {
      const own = current === undefined ? undefined : idOf(current.record)
      if (current !== undefined && !(own !== undefined && ids.includes(own)))
        throw this.#conflict('it manages something else already: destroy that first, or import into another object')
    }
  }

  async #checkClaims(): Promise<void> {
    const { cluster, namespace, name } = this.#place
    for (const claim of importClaims(this.#place, this.#request.object)) {
      const held = await this.#objects.getByKey(claimKey(cluster, claim))
      const holder = held === undefined ? undefined : new TextDecoder().decode(held.bytes)
      if (holder === undefined || holder === `${namespace}/${name}`) continue
      const [other = '', otherName = ''] = holder.split('/')
      throw this.#taken({ ...this.#place, namespace: other, name: otherName }, 'imports')
    }
  }

  async #checkHolder(kind: NodeKind, id: string): Promise<void> {
    const configuration = configurationOf((this.#request.object?.spec ?? {}) as JsonObject)
    const holder = await this.#reader.managedBy(this.#place, kind, configuration, id)
    if (holder !== undefined) throw this.#taken(holder, 'manages')
  }

  #taken(holder: NodePlace, does: 'imports' | 'manages') {
    const { group, resource, namespace, name } = holder
    const { user, cluster } = this.#request
    const attributes = resourceAttributes({ user, cluster, verb: 'get', apiGroup: group, resource, namespace, name })
    const isReadable = this.#authorizer.authorize(attributes).allowed
    const who = isReadable ? `${resource} "${name}" in namespace "${namespace}"` : 'another object'
    return this.#conflict(`${who} ${does} it already: to move it from there, use the annotation hykube.io/moved-from`)
  }

  #conflict(problem: string) {
    const { group, resource, name } = this.#place
    return conflict({ group, resource }, name, problem)
  }

  #twice() {
    const { type } = this.#request
    return invalid({ group: type.group, kind: type.names.kind }, this.#place.name, [
      {
        reason: 'FieldValueInvalid',
        field: `metadata.annotations[${importAnnotation}]`,
        message: 'Invalid value: it names one id for two instances',
      },
    ])
  }
}
