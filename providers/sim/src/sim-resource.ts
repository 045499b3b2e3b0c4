import { randomUUID } from 'node:crypto'
import {
  definitionsFor,
  isUnknown,
  type ReadOperation,
  type ResourceDefinition,
  type SchemaSpec,
  type State,
  schema,
  valueType,
} from '@hykube/provider-sdk/provider'
import type { Cloud } from './cloud.ts'
import type { WorldObject } from './world.ts'

/** Makers of what the simulated cloud has. */
export const { resource, dataSource, list } = definitionsFor<Cloud>()

export interface SimResourceOptions<S extends SchemaSpec> {
  readonly type: string
  /** What ids begin with. */
  readonly prefix: string
  readonly schema: S
  /** How many times the usual latency its changes take. Default 1. */
  readonly times?: number
  /** Whether there is anything that can be changed in place. Default true. */
  readonly updates?: boolean
  /** What the cloud adds to a new object. */
  readonly fill?: (id: string, planned: WorldObject, cloud: Cloud) => WorldObject | Promise<WorldObject>
  /** What is stored of a configuration besides the state. */
  readonly store?: (config: WorldObject) => WorldObject
}

/** A type of the simulated cloud: objects are what was asked for, an id and what the cloud adds. */
export function simResource<S extends SchemaSpec>(options: SimResourceOptions<S>): ResourceDefinition<S, Cloud> {
  const { type, prefix, times = 1, updates = true, fill = () => ({}), store = () => ({}) } = options
  const stateOf = (object: WorldObject) => stateFrom(options.schema, object) as State<S>
  const found = (object: WorldObject | undefined, { state }: ReadOperation<S, Cloud>) =>
    object === undefined ? null : stateOf({ ...object, id: idOf(state) })
  return resource({
    schema: options.schema,
    idempotent: true,
    async create({ planned, config, token, client, signal }) {
      const id = client.idFor(prefix, token === '' ? randomUUID() : token)
      const wanted = known(planned)
      const object = { id, ...wanted, ...store(config), ...(await fill(id, wanted, client)) }
      const wait = { signal, times, subject: JSON.stringify(wanted) }
      return stateOf(await client.create(type, id, object, wait))
    },
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
    ...(updates && {
      async update({ prior, planned, config, client, signal }) {
        const changes = { ...withoutUnknown(planned), ...store(config) }
        return stateOf(await client.update(type, idOf(prior), changes, { signal, times }))
      },
    }),
    async delete({ prior, client, signal }) {
      await client.delete(type, idOf(prior), { signal, times })
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

// People may leave out attributes when they edit an object, and add others.
function stateFrom({ attributes, blocks }: SchemaSpec, object: WorldObject): Record<string, unknown> {
  const names = [...Object.keys(attributes), ...Object.keys(blocks)]
  return Object.fromEntries(names.map((name) => [name, object[name] ?? null]))
}

function known(planned: WorldObject): WorldObject {
  return Object.fromEntries(Object.entries(withoutUnknown(planned)).filter(([, value]) => value !== null))
}

function withoutUnknown(planned: WorldObject): WorldObject {
  return Object.fromEntries(Object.entries(planned).filter(([, value]) => !isUnknown(value)))
}

function idOf(state: Readonly<Record<string, unknown>>): string {
  return String(state.id)
}
