import { forbidden, type StatusCause } from '@hykube/machinery/status'
import { pathToText } from '@hykube/tfplugin/value'
import type { AdmissionRequest } from '../../admission/index.ts'
import { type Authorizer, resourceAttributes } from '../../auth/index.ts'
import { type Estate, putUses } from '../../estate/index.ts'
import type { SpecReference } from '../../expression/index.ts'
import { type ReferenceTarget, type Referring, resolveReference, takesValue, useText } from '../../plan/index.ts'
import type { EstateReader } from '../estate-reader.ts'
import { keptUses } from './kept-uses.ts'
import { mayBeSensitive } from './may-be-sensitive.ts'

/** Checks the references of a write against the permissions of its user. */
export class ReferencePermissions {
  readonly #authorizer: Authorizer
  readonly #reader: EstateReader
  readonly #estate: Estate

  constructor(authorizer: Authorizer, reader: EstateReader, estate: Estate) {
    this.#authorizer = authorizer
    this.#reader = reader
    this.#estate = estate
  }

  /**
   * Refuses a use of a value that is new and that the user may not read. Returns what is wrong with references besides, and keeps
   * in the commit which uses may have sensitive values. `before` are the references whose destination did not change, and `within`
   * is the field that the paths of references begin in.
   */
  async check(
    request: AdmissionRequest,
    referring: Referring,
    references: readonly SpecReference[],
    before: readonly SpecReference[],
    within: string,
  ): Promise<StatusCause[]> {
    const isKept = keptUses(before, references)
    const old = await this.#estate.sensitiveUses(referring.place)
    const causes: StatusCause[] = []
    const uses = new Set<string>()
    for (const use of references) {
      const target = resolveReference(referring, use.reference, this.#reader.kinds)
      if (target === undefined) continue
      const field = `${within}.${pathToText(use.path)}`
      if ('problem' in target) {
        causes.push(invalidReference(field, `${target.text}: ${target.problem}`))
      } else if (isKept(use)) {
        if (old.has(useText(use))) uses.add(useText(use))
      } else {
        const isSensitive = await mayBeSensitive(use, target, this.#reader, this.#estate)
        this.#demand(request, target, isSensitive ? 'sensitive' : '', field)
        if (target.kind !== undefined && takesValue(use) && this.#mayGet(request, target, 'sensitive'))
          uses.add(useText(use))
      }
    }
    if (uses.size > 0 || old.size > 0)
      request.ride?.({ operations: [putUses(referring.place, [...uses])], changes: [], settled: () => {} })
    return causes
  }

  #demand(request: AdmissionRequest, target: ReferenceTarget, subresource: string, field: string): void {
    if (this.#mayGet(request, target, subresource)) return
    const { group, resource, namespace, name } = target.place
    const what = `${resource}${subresource === '' ? '' : `/${subresource}`}.${group}`.replace(/\.$/, '')
    throw forbidden(
      { group: request.type.group, resource: request.type.names.plural },
      request.name,
      `${field} refers to ${target.text}: user ${JSON.stringify(request.user.name)} can not get ${what} ${JSON.stringify(name)} in namespace ${JSON.stringify(namespace)}`,
    )
  }

  #mayGet({ user, cluster }: AdmissionRequest, { place }: ReferenceTarget, subresource: string): boolean {
    const { group, resource, namespace, name } = place
    const wanted = { user, cluster, verb: 'get', apiGroup: group, resource, subresource, namespace, name }
    return this.#authorizer.authorize(resourceAttributes(wanted)).allowed
  }
}

/** That something is wrong at a place. */
export function invalidReference(field: string, message: string): StatusCause {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${message}` }
}
