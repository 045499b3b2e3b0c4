import type { OpenApiDefinitions, OpenApiSchema, ResourceType } from '@hykube/machinery/resource-type'
import { builtInKinds, openApiSchema } from '../../kinds/index.ts'
import { metaDefinitions, siblingName } from './names.ts'
import { withObjectFields } from './object-fields.ts'
import { type GroupVersionKind, isBrief, spokenDefinitionName, typeDefinitionName } from './operations.ts'
import { visitReferences } from './schema-parts.ts'

/** A definition of a document: its name, its schema, and the kinds that it is the schema of. */
export interface Definition {
  readonly name: string
  readonly schema: OpenApiSchema
  readonly kinds: readonly GroupVersionKind[]
  /** Finds what the schema refers to; undefined for what no kind of its own defines. */
  readonly refer: (name: string) => OpenApiSchema | undefined
}

/**
 * The definitions of the types of some group-versions and of everything they refer to, each once, made one by one. Lists
 * are left out where operations are told in the brief form, and so is what objects hold when only `names` are wanted then.
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

/** Definitions that are to be given, each followed by what it was the first to refer to. */
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
        // A name that nobody can explain is any value: a dangling reference would make clients give up on the document.
        const schema = find(name) ?? openApiSchema(name) ?? {}
        visitReferences(schema, (referred) => {
          if (!this.#finders.has(referred)) open.push(referred)
          this.add(referred, find)
        })
        yield { name, schema, kinds: this.#kinds.get(name) ?? builtInKindOf(name), refer: find }
        // A type's definitions are let go once they are given: a document of thousands never holds them all.
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
  // Made when the first definition is given, not for all types before that.
  let made: OpenApiDefinitions | undefined
  const find: Find = (wantedName) => {
    made ??= type.openApi?.definitions()
    return wantedName === name ? withObjectFields(made?.schema) : made?.definition?.(wantedName)
  }
  wanted.add(name, find, kindOf(type))
  if (withList && verbs.includes('list'))
    wantList(wanted, siblingName(name, names.listKind), name, { group, version, kind: names.listKind })
  for (const { speaks } of type.subresources.values())
    if (speaks !== undefined) wanted.add(spokenDefinitionName(speaks), nothing, speaks)
}

function wantList(wanted: Wanted, listName: string, itemName: string, kind: GroupVersionKind): void {
  wanted.add(listName, (name) => (name === listName ? listSchema(itemName) : undefined), kind)
}

function wantMeta(wanted: Wanted, types: readonly ResourceType[]): void {
  const core = { group: '', version: 'v1' }
  wanted.add(metaDefinitions.objectMeta, nothing)
  wanted.add(metaDefinitions.patch, nothing)
  wanted.add(metaDefinitions.status, nothing, { ...core, kind: 'Status' })
  // These two are spoken in every group-version.
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

// A kind that other kinds hold, as a claim in a stateful set, is a kind there too.
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
