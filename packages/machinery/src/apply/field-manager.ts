import { timeToText } from '../amounts/index.ts'
import { finish, type Steps } from '../base/index.ts'
import { isJsonObject, type JsonObject } from '../json/index.ts'
import {
  type GroupVersionKind,
  groupVersionFromText,
  groupVersionKindToText,
  groupVersionToText,
  type ManagedFieldsEntry,
} from '../object/index.ts'
import { badRequest, StatusError } from '../status/index.ts'
import { capUpdateManagers } from './cap-managers.ts'
import { conflictError } from './conflict.ts'
import { CreatedFields } from './created-fields.ts'
import { difference, type FieldSet, isEmptySet, union } from './field-set.ts'
import { fieldsLastApplied, withLastApplied } from './last-applied.ts'
import {
  decodeManagedFields,
  encodeManagedFields,
  isReset,
  type Managed,
  managedFieldsOf,
  managerIdentifier,
  nothingManaged,
  withManagedFields,
} from './managed-fields.ts'
import { ApplyConflicts, type Managers } from './managers.ts'
import { TypedError } from './typed-error.ts'
import { untrackedFields } from './untracked-fields.ts'
import { applyConfiguration, updateManagers, type WriteContext } from './updater.ts'
import { validateTyped } from './validate-typed.ts'
import type { KindVersions } from './versions.ts'

/** The configuration of a field manager, which serves one endpoint of one kind. */
export interface FieldManagerOptions {
  /** The kind in the version of the endpoint. */
  readonly kind: GroupVersionKind
  readonly versions: KindVersions
  /** The subresource that the endpoint writes. Default: none, the object itself. */
  readonly subresource?: string
  /** Fields that the endpoint does not write, by apiVersion: `status` for the object itself, everything else for status. */
  readonly resetFields?: ReadonlyMap<string, FieldSet>
  /** The object before the client's fields are set. Default: only apiVersion and kind. */
  readonly empty?: JsonObject
  /** Writes entries without a time, as Kubernetes does for scale subresources. Default false. */
  readonly omitTimes?: boolean
  /** Milliseconds since 1970. Default Date.now. */
  readonly now?: () => number
}

/** Parameters of a server-side apply. */
export interface ApplyOptions {
  readonly manager: string
  /** Takes over fields of other managers instead of failing with a conflict. Default false. */
  readonly force?: boolean
}

/**
 * Tracks the owners of fields on updates and performs server-side apply. All objects are in the version of its kind, and
 * none is modified. It keeps no state about objects, so one instance serves any number of requests.
 */
export class FieldManager {
  readonly #options: FieldManagerOptions
  readonly #apiVersion: string
  readonly #subresource: string
  readonly #context: WriteContext
  readonly #now: () => number
  #createdFields: CreatedFields | undefined

  constructor(options: FieldManagerOptions) {
    this.#options = options
    this.#apiVersion = groupVersionToText(options.kind)
    this.#subresource = options.subresource ?? ''
    this.#context = options
    this.#now = options.now ?? Date.now
  }

  /**
   * Returns the object of a create, update or patch with updated managed fields. `live` is undefined for a create. Never
   * fails: when the fields cannot be tracked, the object has no managed fields.
   */
  update(live: JsonObject | undefined, next: JsonObject, manager: string): JsonObject {
    return finish(this.updateInSteps(live, next, manager))
  }

  /** Like {@link update}, in steps, so that other requests can run while a large object is processed. */
  *updateInSteps(live: JsonObject | undefined, next: JsonObject, manager: string): Steps<JsonObject> {
    const managed = this.#decodeForUpdate(live, next)
    yield
    const bare = withManagedFields(next, [])
    // A stored object without managed fields stays untracked until the first apply, as in Kubernetes.
    if (managed.managers.size === 0 && hasUid(live)) return bare
    try {
      if (live === undefined && managed.managers.size === 0)
        return withManagedFields(bare, yield* this.#created(bare, manager))
      const updated = yield* this.#update(live ?? this.#emptyObject(), bare, managed, manager)
      yield
      return withManagedFields(bare, encodeManagedFields(updated))
    } catch {
      return bare
    }
  }

  /**
   * Applies a configuration to an object. `live` is undefined for a create. Throws `StatusError`: Conflict when it would
   * change fields of other managers, BadRequest when the configuration is not for this endpoint.
   */
  apply(live: JsonObject | undefined, applied: JsonObject, options: ApplyOptions): JsonObject {
    return finish(this.applyInSteps(live, applied, options))
  }

  /** Like {@link apply}, in steps, so that other requests can run while a large object is processed. */
  *applyInSteps(live: JsonObject | undefined, applied: JsonObject, options: ApplyOptions): Steps<JsonObject> {
    this.#checkApplied(applied)
    const current = live ?? this.#emptyObject()
    const managed = decodeForApply(current)
    yield
    const bare = withManagedFields(current, [])
    // The fields of an untracked object get an owner first, so that the apply can conflict with them.
    const tracked =
      managed.managers.size > 0 ? managed : yield* this.#update(this.#emptyObject(), bare, managed, beforeFirstApply)
    const outcome = yield* this.#applyOrTakeOver(bare, applied, tracked, options)
    yield
    const object = options.manager === 'kubectl' ? withLastApplied(outcome.object, applied) : outcome.object
    return withManagedFields(object, encodeManagedFields(outcome.managed))
  }

  // A faster equivalent of #update for a create, without a comparison.
  *#created(object: JsonObject, manager: string): Steps<readonly ManagedFieldsEntry[]> {
    this.#createdFields ??= new CreatedFields(
      this.#shape(),
      this.#options.resetFields?.get(this.#apiVersion),
      this.#emptyObject(),
    )
    const fieldsV1 = yield* this.#createdFields.of(object)
    if (fieldsV1 === undefined) return []
    return [
      {
        manager: manager === '' ? 'unknown' : manager,
        operation: 'Update',
        apiVersion: this.#apiVersion,
        time: timeToText(this.#now()),
        fieldsType: 'FieldsV1',
        fieldsV1: fieldsV1 as unknown as JsonObject,
        ...(this.#subresource === '' ? {} : { subresource: this.#subresource }),
      },
    ]
  }

  *#update(live: JsonObject, next: JsonObject, managed: Managed, manager: string): Steps<Managed> {
    const managers = new Map(
      yield* updateManagers(
        this.#context,
        this.#versioned(live),
        this.#versioned(next),
        managed.managers,
        currentOperation,
      ),
    )
    // Moves the fields of this operation to the manager's permanent entry.
    const own = managers.get(currentOperation)
    managers.delete(currentOperation)
    const set = own === undefined ? undefined : difference(own.set, untrackedFields)
    if (own === undefined || set === undefined || isEmptySet(set))
      return yield* capUpdateManagers({ ...managed, managers })
    const identifier = this.#identifier(manager, 'Update')
    const previous = managers.get(identifier)
    managers.set(identifier, { ...own, set: previous === undefined ? set : union(previous.set, set) })
    return yield* capUpdateManagers({ managers, times: this.#timesWith(managed, identifier) })
  }

  /** Applies; kubectl takes over the fields that it set by client-side apply itself, instead of conflicting with them. */
  *#applyOrTakeOver(live: JsonObject, applied: JsonObject, managed: Managed, options: ApplyOptions): Steps<Outcome> {
    try {
      return yield* this.#apply(live, applied, managed, options)
    } catch (error) {
      if (!(error instanceof ApplyConflicts)) throw this.#asStatus(error, applied)
      const conflicts = options.manager === 'kubectl' ? this.#withoutLastApplied(live, error) : error.sets
      if (conflicts.size > 0) throw conflictError(conflicts)
      return yield* this.#apply(live, applied, managed, { ...options, force: true })
    }
  }

  *#apply(
    live: JsonObject,
    applied: JsonObject,
    managed: Managed,
    { manager, force = false }: ApplyOptions,
  ): Steps<Outcome> {
    const identifier = this.#identifier(manager, 'Apply')
    validateTyped(this.#shape(), applied)
    yield
    const { object, managers } = yield* applyConfiguration(
      this.#context,
      this.#versioned(live),
      this.#versioned(applied),
      managed.managers,
      identifier,
      force,
    )
    const stripped = withoutUntracked(managers, identifier)
    if (object === undefined) return { object: live, managed: { managers: stripped, times: managed.times } }
    return { object, managed: { managers: stripped, times: this.#timesWith(managed, identifier) } }
  }

  #withoutLastApplied(live: JsonObject, { sets }: ApplyConflicts): ReadonlyMap<string, FieldSet> {
    const allowed = fieldsLastApplied(this.#shape(), live, this.#apiVersion)
    if (allowed === undefined) return sets
    const rest = [...sets].map(([manager, set]) => [manager, difference(set, allowed)] as const)
    return new Map(rest.filter(([, set]) => !isEmptySet(set)))
  }

  #checkApplied(applied: JsonObject): void {
    const { kind } = this.#options
    const given = {
      ...(groupVersionFromText(String(applied.apiVersion ?? '')) ?? { group: '', version: '' }),
      kind: String(applied.kind ?? ''),
    }
    if (given.group !== kind.group || given.version !== kind.version || given.kind !== kind.kind) {
      throw badRequest(`invalid object type: ${groupVersionKindToText(given)}`)
    }
    const entries = isJsonObject(applied.metadata) ? applied.metadata.managedFields : undefined
    if (entries !== undefined && entries !== null) throw badRequest('metadata.managedFields must be nil')
  }

  // Managed fields come from the new object, where clients may edit them, and else from the live one.
  #decodeForUpdate(live: JsonObject | undefined, next: JsonObject): Managed {
    // Clients can write managedFields through the main endpoint only.
    const given = this.#subresource === '' ? managedFieldsOf(next) : undefined
    if (isReset(given)) return nothingManaged
    const managed = decodeOrNothing(given)
    return managed.managers.size > 0 ? managed : decodeOrNothing(live && managedFieldsOf(live))
  }

  #asStatus(error: unknown, applied: JsonObject): unknown {
    if (!(error instanceof TypedError)) return error
    const metadata = isJsonObject(applied.metadata) ? applied.metadata : {}
    const name = `${metadata.namespace ?? ''}/${metadata.name ?? ''}; ${groupVersionKindToText(this.#options.kind)}`
    return new StatusError('Unknown', `failed to create typed patch object (${name}): ${error.message}`, {
      code: 400,
      cause: error,
    })
  }

  #timesWith(managed: Managed, identifier: string): ReadonlyMap<string, string> {
    if (this.#options.omitTimes) return managed.times
    return new Map(managed.times).set(identifier, timeToText(this.#now()))
  }

  #identifier(manager: string, operation: 'Apply' | 'Update'): string {
    return managerIdentifier({
      manager: manager === '' ? 'unknown' : manager,
      operation,
      apiVersion: this.#apiVersion,
      subresource: this.#subresource,
    })
  }

  #shape() {
    return this.#options.versions.shape(this.#apiVersion)!
  }

  #versioned(value: JsonObject) {
    return { apiVersion: this.#apiVersion, value }
  }

  #emptyObject(): JsonObject {
    return this.#options.empty ?? { apiVersion: this.#apiVersion, kind: this.#options.kind.kind }
  }
}

interface Outcome {
  readonly object: JsonObject
  readonly managed: Managed
}

/** A temporary identifier of the writer during an update, so that its own earlier entries are treated like all others. */
const currentOperation = 'current-operation'
/** Kubernetes' manager of the fields that existed before an untracked object was first applied to. */
const beforeFirstApply = 'before-first-apply'

function withoutUntracked(managers: Managers, identifier: string): Managers {
  const managed = managers.get(identifier)
  if (managed === undefined) return managers
  const set = difference(managed.set, untrackedFields)
  const result = new Map(managers)
  if (isEmptySet(set)) result.delete(identifier)
  else result.set(identifier, { ...managed, set })
  return result
}

function decodeOrNothing(entries: ReturnType<typeof managedFieldsOf>): Managed {
  try {
    return entries === undefined ? nothingManaged : decodeManagedFields(entries)
  } catch {
    return nothingManaged
  }
}

function decodeForApply(live: JsonObject): Managed {
  try {
    return decodeManagedFields(managedFieldsOf(live) ?? [])
  } catch (error) {
    throw new StatusError('Unknown', `failed to decode managed fields: ${(error as Error).message}`, {
      code: 400,
      cause: error,
    })
  }
}

function hasUid(object: JsonObject | undefined): boolean {
  return object !== undefined && isJsonObject(object.metadata) && Boolean(object.metadata.uid)
}
