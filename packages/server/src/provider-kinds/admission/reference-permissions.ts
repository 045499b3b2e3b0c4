import { forbidden, type StatusCause } from '@hykube/machinery/status'
import { pathToText } from '@hykube/tfplugin/value'
import type { AdmissionRequest } from '../../admission/index.ts'
import { type Authorizer, resourceAttributes } from '../../auth/index.ts'
import type { EstateReader } from '../../estate/index.ts'
import { type Estate, putUses } from '../../estate/index.ts'
import { type ReferenceTarget, type Referring, resolveReference, takesValue, useText } from '../../evaluation/index.ts'
import type { SpecReference } from '../../expression/index.ts'
import { mayBeSensitive } from './may-be-sensitive.ts'
import { unchangedUses } from './unchanged-uses.ts'

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
   * Fails with 403 when the user may not read a newly referenced value. Returns unresolved references as causes, and records in the commit
   * which uses may read sensitive values. `before` are the references that were authorized earlier and whose destination didn't change;
   * `within` is the field that the paths of references start from.
   */
  async check(
    request: AdmissionRequest,
    referring: Referring,
    references: readonly SpecReference[],
    before: readonly SpecReference[],
    within: string,
  ): Promise<StatusCause[]> {
    const isKept = unchangedUses(before, references)
    const old = await this.#estate.sensitiveUses(referring.ref)
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
      request.addToCommit?.({ operations: [putUses(referring.ref, [...uses])], changes: [], settled: () => {} })
    return causes
  }

  #demand(request: AdmissionRequest, target: ReferenceTarget, subresource: string, field: string): void {
    if (this.#mayGet(request, target, subresource)) return
    const { group, resource, namespace, name } = target.ref
    const what = `${resource}${subresource === '' ? '' : `/${subresource}`}.${group}`.replace(/\.$/, '')
    throw forbidden(
      { group: request.type.group, resource: request.type.names.plural },
      request.name,
      `${field} refers to ${target.text}: user ${JSON.stringify(request.user.name)} cannot get ${what} ${JSON.stringify(name)} in namespace ${JSON.stringify(namespace)}`,
    )
  }

  #mayGet({ user, cluster }: AdmissionRequest, { ref }: ReferenceTarget, subresource: string): boolean {
    const { group, resource, namespace, name } = ref
    const wanted = { user, cluster, verb: 'get', apiGroup: group, resource, subresource, namespace, name }
    return this.#authorizer.authorize(resourceAttributes(wanted)).allowed
  }
}

/** Returns the cause for an invalid value of a field. */
export function invalidReference(field: string, message: string): StatusCause {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${message}` }
}
