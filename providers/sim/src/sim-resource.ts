import { randomUUID } from 'node:crypto'
import {
  type ApplyOperation,
  definitionsFor,
  isUnknown,
  ProviderFailure,
  type ReadOperation,
  type ResourceDefinition,
  type SchemaSpec,
  type State,
  schema,
  valueType,
} from '@hykube/provider-sdk/provider'
import type { Cloud, WantedChange } from './cloud.ts'
import type { WorldObject } from './world.ts'

/** Constructors of definitions whose client is the simulated cloud. */
export const { resource, dataSource, list } = definitionsFor<Cloud>()

export interface SimResourceOptions<S extends SchemaSpec> {
  readonly type: string
  /** The prefix of ids. */
  readonly prefix: string
  readonly schema: S
  /** The latency of its changes, as a multiple of the configured latency. Default 1. */
  readonly times?: number
  /** Supports updates in place. Default true. */
  readonly updates?: boolean
  /** Returns the computed attributes of a new object. */
  readonly fill?: (id: string, planned: WorldObject, cloud: Cloud) => WorldObject | Promise<WorldObject>
  /** Returns fields of the configuration to store in addition to the state, such as write-only values. */
  readonly store?: (config: WorldObject) => WorldObject
}

/** Defines a resource type of the simulated cloud: an object has the planned attributes, an id and computed attributes. */
export function simResource<S extends SchemaSpec>(options: SimResourceOptions<S>): ResourceDefinition<S, Cloud> {
  const { type, prefix, times = 1, updates = true, fill, store } = options
  const names = [...Object.keys(options.schema.attributes), ...Object.keys(options.schema.blocks)]
  const stateOf = (object: WorldObject) => stateFrom(names, object) as State<S>
  const found = (object: WorldObject | undefined, { state }: ReadOperation<S, Cloud>) =>
    object === undefined ? null : stateOf({ ...object, id: idOf(state) })
  // Converts an operation of the SDK to a change of the cloud.
  const wantedBy = async (operation: ApplyOperation<S, Cloud>): Promise<WantedChange> => {
    if (operation.kind === 'delete') {
      const id = idOf(operation.prior)
      return { kind: 'delete', id, subject: () => id }
    }
    const { planned, config, token, client } = operation
    if (operation.kind === 'update') {
      const id = idOf(operation.prior)
      return { kind: 'update', id, subject: () => id, fields: { ...withoutUnknown(planned), ...store?.(config) } }
    }
    const id = client.idFor(prefix, token === '' ? randomUUID() : token)
    const wanted = known(planned)
    const filled = fill && (await fill(id, wanted, client))
    const object = { id, ...wanted, ...store?.(config), ...filled }
    return { kind: 'create', id, subject: () => JSON.stringify(wanted), object }
  }
  // The SDK never calls it with an empty batch, and all operations of a batch share one client and signal.
  const applyMany = async (operations: readonly ApplyOperation<S, Cloud>[]) => {
    const [{ client, signal }] = operations as readonly [ApplyOperation<S, Cloud>]
    const outcomes = await client.change(type, await Promise.all(operations.map(wantedBy)), { signal, times })
    return outcomes.map((outcome) =>
      outcome === undefined ? null : outcome instanceof ProviderFailure ? outcome : stateOf(outcome),
    )
  }
  const apply = async (operation: ApplyOperation<S, Cloud>): Promise<State<S> | null> => {
    const [outcome = null] = await applyMany([operation])
    if (outcome instanceof ProviderFailure) throw outcome
    return outcome
  }
  const make = async (operation: ApplyOperation<S, Cloud>) => (await apply(operation)) as State<S>
  return resource({
    schema: options.schema,
    idempotent: true,
    create: make,
    ...(updates && { update: make }),
    async delete(operation) {
      await apply(operation)
    },
    applyMany,
    async read(operation) {
      const { state, client, signal } = operation
      return found(await client.read(type, idOf(state), { signal }), operation)
    },
    async readMany(operations) {
      const [{ client, signal }] = operations as readonly [ReadOperation<S, Cloud>]
      const ids = operations.map(({ state }) => idOf(state))
      const objects = await client.readMany(type, ids, { signal })
      return operations.map((operation, i) => found(objects[i], operation))
    },
    identity: {
      attributes: { id: { type: valueType.string, forImport: 'required', description: 'the id of the object' } },
      of: (state) => ({ id: idOf(state) }),
    },
    list: list(options.schema, {
      schema: schema({ attributes: {} }),
      async *list({ client }) {
        for await (const [id, object] of client.world.list(type)) {
          yield { displayName: String(object.name ?? id), state: stateOf({ ...object, id }) }
        }
      },
    }),
  })
}

// Users edit stored objects: missing attributes are null, and unknown ones are ignored.
function stateFrom(names: readonly string[], object: WorldObject): WorldObject {
  const state: Record<string, unknown> = {}
  for (const name of names) state[name] = object[name] ?? null
  return state
}

function known(planned: WorldObject): WorldObject {
  return only(planned, (value) => value !== null && !isUnknown(value))
}

function withoutUnknown(planned: WorldObject): WorldObject {
  return only(planned, (value) => !isUnknown(value))
}

function only(object: WorldObject, fits: (value: unknown) => boolean): WorldObject {
  const fitting: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(object)) if (fits(value)) fitting[name] = value
  return fitting
}

function idOf(state: Readonly<Record<string, unknown>>): string {
  return String(state.id)
}
