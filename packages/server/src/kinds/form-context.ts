import { type JsonValue, jsonTypeOf } from '@hykube/machinery/json'
import { StatusError } from '@hykube/machinery/status'

/** Where the walk is; paths are only put together when there is something to tell. */
export interface FormContext {
  readonly path: PathPart[]
  readonly unknownFields: string[]
  readonly kind: string
  readonly apiVersion: string
  /** The form of another type: types may hold each other. */
  readonly formOf: (typeName: string) => Form
}

/** A field, a place in a list, or a key of a map. */
export type PathPart = string | number | { readonly key: string }

/** Gives one value its form; `owner` names the Go field for the words of a failure. */
export type Form = (value: unknown, context: FormContext, owner: string) => unknown

/** A path as Kubernetes writes it: `spec.containers[0].name`. */
export function pathText(path: readonly PathPart[]): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else text += `${text === '' ? '' : '.'}${typeof part === 'string' ? part : part.key}`
  }
  return text
}

/** A value of the wrong type, in the words of Go's decoder; its cause has those of the converter that patches go through. */
export function wrongType(value: unknown, context: FormContext, owner: string, goType: string): Error {
  const place = owner === '' ? '' : `Go struct field ${owner}.${goPath(context.path)} of `
  return notHandled(
    context,
    `json: cannot unmarshal ${jsonTypeOf(value as JsonValue)} into ${place}${place === '' ? 'Go value of ' : ''}type ${goType}`,
    new Error(notConverted(value, goType)),
  )
}

/** A body that is not an object of the kind, in the words of kube-apiserver. */
export function notHandled(context: FormContext, reason: string, cause?: Error): Error {
  const { kind, apiVersion } = context
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1)
  const message = `${kind} in version "${version}" cannot be handled as a ${kind}: ${reason}`
  return new StatusError('BadRequest', message, { cause: cause ?? new Error(reason) })
}

function notConverted(value: unknown, goType: string): string {
  const given = Array.isArray(value) ? 'slice' : goKindOf(value)
  if (goType.startsWith('map[')) return `cannot restore map from ${given}`
  if (goType.startsWith('[]')) return `cannot restore slice from ${given}`
  if (goType.includes('.')) return `cannot restore struct from: ${given}`
  return `cannot convert ${given} to ${goType}`
}

function goKindOf(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'string' : 'map'
}

// Go tells the path without places in lists and keys of maps.
function goPath(path: readonly PathPart[]): string {
  return path.filter((part) => typeof part === 'string').join('.')
}
