// Position and errors of the walk that converts an object to its JSON form.
import { type JsonValue, jsonTypeOf } from '@hykube/machinery/json'
import { StatusError } from '@hykube/machinery/status'

/** State of the walk. Path texts are built only for errors and warnings. */
export interface FormContext {
  readonly path: PathPart[]
  readonly unknownFields: string[]
  readonly kind: string
  readonly apiVersion: string
  /** Resolves the form of another type. Types may be recursive, so forms are resolved on first use. */
  readonly formOf: (typeName: string) => Form
}

/** A field, a list index, or a map key. */
export type PathPart = string | number | { readonly key: string }

/** Converts one value to its JSON form; `owner` is the Go struct's name for error messages. */
export type Form = (value: unknown, context: FormContext, owner: string) => unknown

/** Formats a path as Kubernetes does: `spec.containers[0].name`. */
export function pathText(path: readonly PathPart[]): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else text += `${text === '' ? '' : '.'}${typeof part === 'string' ? part : part.key}`
  }
  return text
}

/**
 * Error for a value of the wrong type, with the message of Go's JSON decoder. Its cause has the message of the
 * converter that Kubernetes uses for patches.
 */
export function wrongType(value: unknown, context: FormContext, owner: string, goType: string): Error {
  const place = owner === '' ? '' : `Go struct field ${owner}.${goPath(context.path)} of `
  return notHandled(
    context,
    `json: cannot unmarshal ${jsonTypeOf(value as JsonValue)} into ${place}${place === '' ? 'Go value of ' : ''}type ${goType}`,
    new Error(notConverted(value, goType)),
  )
}

/** Error for a body that can't be decoded to the kind, with kube-apiserver's message. */
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

// Go's decoder omits list indexes and map keys from the path.
function goPath(path: readonly PathPart[]): string {
  return path.filter((part) => typeof part === 'string').join('.')
}
