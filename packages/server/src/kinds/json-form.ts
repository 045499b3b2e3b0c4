import type { JsonObject } from '@hykube/machinery/json'
import { type Form, type FormContext, pathText, wrongType } from './form-context.ts'
import { leafForm } from './json-leaves.ts'
import { type FieldFacts, type TypeFacts, type TypeRef, typeFacts } from './type-table.ts'

/** Result of the conversion to the JSON form. */
export interface JsonForm {
  readonly object: JsonObject
  /** Paths of unknown fields: those inside of known fields first, then those of the object itself. */
  readonly unknownFields: readonly string[]
}

/**
 * Converts an object of a built-in type to the form that Kubernetes would store: unknown fields are dropped and
 * reported, zero values appear exactly where Go's encoder writes them, times and quantities are canonical, and fields
 * follow the order of the type. Throws BadRequest with the decoder's message when a value has the wrong type.
 */
export function jsonForm(typeName: string, kind: string, apiVersion: string, object: unknown): JsonForm {
  const context: FormContext = { path: [], unknownFields: [], kind, apiVersion, formOf: structForm }
  const form = structForm(typeName)(object, context, '')
  return { object: form as JsonObject, unknownFields: context.unknownFields }
}

/** Returns the JSON form of the type's zero value in Go. */
export function zeroForm(typeName: string, kind: string, apiVersion: string): unknown {
  return structForm(typeName)(null, { path: [], unknownFields: [], kind, apiVersion, formOf: structForm }, '')
}

/** Returns the form of a type, compiled on first use. */
function structForm(typeName: string): Form {
  const known = forms.get(typeName)
  if (known !== undefined) return known
  const leaf = leafForm(typeName)
  const form = leaf ?? compileStruct(typeName)
  forms.set(typeName, form)
  return form
}

const forms = new Map<string, Form>()

interface FieldForm {
  readonly name: string
  readonly form: Form
  /**
   * Returns the value of an absent field; undefined when the field stays absent. A function, because the value may be
   * an object.
   */
  readonly absent: ((context: FormContext) => unknown) | undefined
  readonly isDropped: (value: unknown) => boolean
}

function compileStruct(typeName: string): Form {
  const facts = typeFacts(typeName)
  if (facts === undefined) throw new Error(`no table for type ${typeName}: run \`npm run kinds\``)
  if (facts.listOf !== undefined) return listForm(elementForm(facts.listOf), goNameOf(facts.listOf))
  let fields: Map<string, FieldForm> | undefined
  const goName = goTypeName(typeName)
  return (value, context, owner) => {
    if (value !== null && (typeof value !== 'object' || Array.isArray(value))) {
      throw wrongType(value, context, owner, goName)
    }
    // Compiled on first use, because types may be recursive.
    fields ??= new Map(flatFields(facts).map((field) => [field.name, fieldForm(field)]))
    return formOf(value as JsonObject | null, fields, context, goName.slice(goName.indexOf('.') + 1))
  }
}

function formOf(
  value: JsonObject | null,
  fields: Map<string, FieldForm>,
  context: FormContext,
  owner: string,
): JsonObject {
  const result: JsonObject = {}
  const { path } = context
  for (const field of fields.values()) {
    const given = value === null || !Object.hasOwn(value, field.name) ? null : value[field.name]
    if (given === null || given === undefined) {
      const absent = field.absent?.(context)
      if (absent !== undefined) result[field.name] = absent as never
      continue
    }
    path.push(field.name)
    const formed = field.form(given, context, owner)
    if (!field.isDropped(formed)) result[field.name] = formed as never
    path.pop()
  }
  if (value !== null) noteUnknown(value, fields, context)
  return result
}

function noteUnknown(value: JsonObject, fields: Map<string, FieldForm>, context: FormContext): void {
  for (const name of Object.keys(value)) {
    if (!fields.has(name)) context.unknownFields.push(pathText([...context.path, name]))
  }
}

function flatFields(facts: TypeFacts): FieldFacts[] {
  return facts.fields.flatMap((field) =>
    field.inline && field.type.kind === 'type' ? flatFields(typeFacts(field.type.name)!) : [field],
  )
}

// `omitempty` drops zero values and empty collections, but never pointers and structs.
function fieldForm(field: FieldFacts): FieldForm {
  const element = elementForm(field.type)
  const isStruct =
    field.collection === 'none' && field.type.kind === 'type' && typeFacts(field.type.name)?.listOf === undefined
  const form =
    field.collection === 'list'
      ? listForm(element, goNameOf(field.type))
      : field.collection === 'map'
        ? mapForm(element, field.type)
        : element
  const keepsZero = field.pointer || field.always || isStruct
  return {
    name: field.name,
    form,
    absent: absentForm(field, isStruct, element),
    isDropped: keepsZero ? (value) => value === undefined : isEmpty,
  }
}

// Go's zero value for a field that the client omitted; undefined when Go would omit it too.
function absentForm(field: FieldFacts, isStruct: boolean, element: Form): FieldForm['absent'] {
  if (field.omitZero) return undefined
  if (field.pointer) return field.always ? () => null : undefined
  if (isStruct) return (context) => element(null, context, '')
  if (!field.always) return undefined
  if (field.collection !== 'none' || field.type.kind === 'type') return () => null
  const { scalar } = field.type
  const zero = scalar === 'string' ? '' : scalar === 'bool' ? false : scalar === 'bytes' ? null : 0
  return () => zero
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true
  if (typeof value !== 'object') return false
  return Array.isArray(value)
    ? value.length === 0
    : Object.getPrototypeOf(value) === Object.prototype && isEmptyObject(value)
}

function isEmptyObject(value: object): boolean {
  for (const _ in value) return false
  return true
}

// Resolved on first use, because types may be recursive.
function elementForm(type: TypeRef): Form {
  if (type.kind === 'scalar') return leafForm(type.scalar)!
  let form: Form | undefined
  return (value, context, owner) => {
    form ??= structForm(type.name)
    return form(value, context, owner)
  }
}

function listForm(element: Form, goType: string): Form {
  return (value, context, owner) => {
    if (value === null) return null
    if (!Array.isArray(value)) throw wrongType(value, context, owner, `[]${goType}`)
    return value.map((item, index) => {
      context.path.push(index)
      const formed = element(item, context, owner)
      context.path.pop()
      return formed
    })
  }
}

function mapForm(element: Form, type: TypeRef): Form {
  const goType = goNameOf(type)
  return (value, context, owner) => {
    if (typeof value !== 'object' || Array.isArray(value))
      throw wrongType(value, context, owner, `map[string]${goType}`)
    // Only maps get large. An already canonical map is not copied.
    let result: Record<string, unknown> | undefined
    const keys = Object.keys(value as JsonObject)
    for (const key of keys) {
      const item = (value as JsonObject)[key]!
      context.path.push({ key })
      const formed = element(item, context, owner)
      context.path.pop()
      if (formed === item) continue
      result ??= { ...(value as JsonObject) }
      if (key === '__proto__')
        Object.defineProperty(result, key, { value: formed, writable: true, enumerable: true, configurable: true })
      else result[key] = formed
    }
    return result ?? (keys.length === 0 ? {} : value)
  }
}

function goNameOf(type: TypeRef): string {
  return type.kind === 'scalar' ? type.scalar : goTypeName(type.name)
}

function goTypeName(typeName: string): string {
  const parts = typeName.split('.')
  return parts.slice(-2).join('.')
}
