import type { OpenApiDefinitions, OpenApiSchema, ResourceType } from '@hykube/machinery/resource-type'
import { builtInKinds, openApiSchema } from '../../kinds/index.ts'
import { metaDefinitions, siblingName } from './names.ts'
import { withObjectFields } from './object-fields.ts'
import { type GroupVersionKind, isBrief, kindDefinitionName, typeDefinitionName } from './operations.ts'
import { visitReferences } from './schema-parts.ts'

/** A schema definition of a document with its name and kinds. */
export interface Definition {
  readonly name: string
  readonly schema: OpenApiSchema
  readonly kinds: readonly GroupVersionKind[]
  /** Looks up a definition that the schema refers to; undefined when the kind does not define it. */
  readonly refer: (name: string) => OpenApiSchema | undefined
}

/**
 * Yields the definitions of the types of some group-versions, and of everything they refer to, each once. The brief
 * form has no lists, and with `names` only no object fields either.
 */
export function* typeDefinitions(
  versions: readonly (readonly ResourceType[])[],
  large: 'names' | 'schemas' = 'schemas',
): Generator<Definition> {
  const wanted = new Wanted()
  for (const types of versions) {
    const brief = isBrief(types)
    for (const type of types)
      if (brief && large === 'names') wanted.add(typeDefinitionName(type), anyObject, kindOf(type))
      else wantType(wanted, type, !brief)
  }
  wantMeta(wanted, versions.flat())
  yield* wanted.all()
}

type Find = (name: string) => OpenApiSchema | undefined

/** Work list of definitions: each is followed by those it is the first to refer to. */
class Wanted {
  readonly #finders = new Map<string, Find>()
  readonly #kinds = new Map<string, GroupVersionKind[]>()

  add(name: string, find: Find, kind?: GroupVersionKind): void {
    if (!this.#finders.has(name)) this.#finders.set(name, find)
    if (kind === undefined) return
    const kinds = this.#kinds.get(name) ?? []
    if (!kinds.some((each) => sameKind(each, kind))) this.#kinds.set(name, [...kinds, kind])
  }

  *all(): Generator<Definition> {
    for (const [first] of [...this.#finders]) {
      const open = [first]
      for (let name = open.pop(); name !== undefined; name = open.pop()) {
        const find = this.#finders.get(name)!
        // An unknown name becomes an unrestricted value: a dangling reference would make clients reject the whole
        // document.
        const schema = find(name) ?? openApiSchema(name) ?? {}
        visitReferences(schema, (referred) => {
          if (!this.#finders.has(referred)) open.push(referred)
          this.add(referred, find)
        })
        yield { name, schema, kinds: this.#kinds.get(name) ?? builtInKindOf(name), refer: find }
        // A type's definitions are released after use, so that a document of thousands is never in memory as objects.
        this.#finders.set(name, nothing)
      }
    }
  }
}

const nothing: Find = () => undefined
const anyObject: Find = () => withObjectFields(undefined)

function kindOf({ group, version, names }: ResourceType): GroupVersionKind {
  return { group, version, kind: names.kind }
}

function wantType(wanted: Wanted, type: ResourceType, withList: boolean): void {
  const { group, version, names, verbs } = type
  const name = typeDefinitionName(type)
  // Built on first use, so that not all types' definitions exist at once.
  let made: OpenApiDefinitions | undefined
  const find: Find = (wantedName) => {
    made ??= type.openApi?.definitions()
    return wantedName === name ? withObjectFields(made?.schema) : made?.definition?.(wantedName)
  }
  wanted.add(name, find, kindOf(type))
  if (withList && verbs.includes('list'))
    wantList(wanted, siblingName(name, names.listKind), name, { group, version, kind: names.listKind })
  for (const { objectKind } of type.subresources.values())
    if (objectKind !== undefined) wanted.add(kindDefinitionName(objectKind), nothing, objectKind)
}

function wantList(wanted: Wanted, listName: string, itemName: string, kind: GroupVersionKind): void {
  wanted.add(listName, (name) => (name === listName ? listSchema(itemName) : undefined), kind)
}

function wantMeta(wanted: Wanted, types: readonly ResourceType[]): void {
  const core = { group: '', version: 'v1' }
  wanted.add(metaDefinitions.objectMeta, nothing)
  wanted.add(metaDefinitions.patch, nothing)
  wanted.add(metaDefinitions.status, nothing, { ...core, kind: 'Status' })
  // These two kinds are part of every group-version.
  for (const { group, version } of [core, ...types]) {
    wanted.add(metaDefinitions.deleteOptions, nothing, { group, version, kind: 'DeleteOptions' })
    wanted.add(metaDefinitions.watchEvent, nothing, { group, version, kind: 'WatchEvent' })
  }
}

function listSchema(itemName: string): OpenApiSchema {
  return {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      items: { type: 'array', items: { $ref: itemName, default: {} } },
      kind: { type: 'string' },
      metadata: { $ref: metaDefinitions.listMeta, default: {} },
    },
  }
}

// A kind embedded in other kinds, such as a claim in a StatefulSet, is marked as a kind there too.
function builtInKindOf(definition: string): GroupVersionKind[] {
  kindsByDefinition ??= new Map(
    builtInKinds().map(({ typeName, group, version, kind }) => [typeName, [{ group, version, kind }]]),
  )
  return kindsByDefinition.get(definition) ?? []
}

let kindsByDefinition: ReadonlyMap<string, GroupVersionKind[]> | undefined

function sameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && a.version === b.version && a.group === b.group
}
