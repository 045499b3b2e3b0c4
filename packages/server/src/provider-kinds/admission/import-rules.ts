import type { JsonObject } from '@hykube/machinery/json'
import { conflict, invalid } from '@hykube/machinery/status'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import type { Authorizer } from '../../auth/index.ts'
import type { EstateReader } from '../../estate/index.ts'
import { asksForSame, type Estate, idOf, importAnnotation, importedIds } from '../../estate/index.ts'
import { configurationOf } from '../../evaluation/index.ts'
import type { ResourceKind, ResourceRef } from '../../model/index.ts'
import { holderName } from '../holder-name.ts'

/** Rejects imports of a resource that another object manages or imports: a resource belongs to one object. */
export function importRules(reader: EstateReader, estate: Estate, authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'ImportedResources',
    handles: ({ operation, subresource, cluster, type }) =>
      operation !== 'DELETE' &&
      subresource === '' &&
      reader.kinds.at(cluster, type.group, type.names.plural)?.data === false,
    validate: (request) => new ImportRules(reader, estate, authorizer, request).check(),
  }
}

class ImportRules {
  readonly #reader: EstateReader
  readonly #estate: Estate
  readonly #authorizer: Authorizer
  readonly #request: AdmissionRequest
  readonly #ref: ResourceRef

  constructor(reader: EstateReader, estate: Estate, authorizer: Authorizer, request: AdmissionRequest) {
    const { cluster, type, namespace, object } = request
    this.#reader = reader
    this.#estate = estate
    this.#authorizer = authorizer
    this.#request = request
    this.#ref = {
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
    const kind = this.#reader.kinds.at(this.#ref.cluster, this.#ref.group, this.#ref.resource)!
    for (const id of ids) await this.#checkHolder(kind, id)
  }

  // An object that manages a resource can't import another one, because its own would no longer be managed.
  async #checkOwn(ids: readonly string[]): Promise<void> {
    for (const { current } of await this.#estate.states(this.#ref)) {
      const own = current === undefined ? undefined : idOf(current.record)
      if (current !== undefined && !(own !== undefined && ids.includes(own)))
        throw this.#conflict('it already manages another resource: destroy that first, or import into another object')
    }
  }

  async #checkHolder(kind: ResourceKind, id: string): Promise<void> {
    const configuration = configurationOf((this.#request.object?.spec ?? {}) as JsonObject)
    const importer = await this.#reader.importedBy(this.#ref, kind, configuration, id)
    if (importer !== undefined) throw this.#taken(importer, 'imports')
    const holder = await this.#reader.managedBy(this.#ref, kind, configuration, id)
    if (holder !== undefined) throw this.#taken(holder, 'manages')
  }

  #taken(holder: ResourceRef, does: 'imports' | 'manages') {
    const who = holderName(this.#authorizer, this.#request.user, holder)
    return this.#conflict(`${who} already ${does} it: to move it, use the annotation hykube.io/moved-from`)
  }

  #conflict(problem: string) {
    const { group, resource, name } = this.#ref
    return conflict({ group, resource }, name, problem)
  }

  #twice() {
    const { type } = this.#request
    return invalid({ group: type.group, kind: type.names.kind }, this.#ref.name, [
      {
        reason: 'FieldValueInvalid',
        field: `metadata.annotations[${importAnnotation}]`,
        message: 'Invalid value: two instances have the same id',
      },
    ])
  }
}
