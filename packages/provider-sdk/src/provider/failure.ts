import { messageOf } from '@hykube/machinery/base'
import type { ProviderDiagnostic } from '@hykube/tfplugin/protocol'
import {
  attributeStep,
  indexStep,
  keyStep,
  type Path,
  type PathStep,
  pathToText,
  type Type,
} from '@hykube/tfplugin/value'
import { elementTypeOf } from './schema/element-type.ts'
import type { Content } from './schema/schema.ts'
import { type Place, TypeMismatchError } from './schema/type-mismatch.ts'

export interface FailureOptions {
  /** The cause and the remedy, shown below the summary. */
  readonly detail?: string
  /** The path of the attribute at fault: `['rules', 0, 'prefix']`. */
  readonly place?: Place
  /** The state of the object that exists despite the failure. It is stored; after a failed create it is tainted. */
  readonly state?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** Thrown by a provider's functions to report a failure in detail; of any other error only the message is reported. */
export class ProviderFailure extends Error {
  readonly detail: string
  readonly place: Place
  readonly state: Readonly<Record<string, unknown>> | undefined

  constructor(summary: string, { detail = '', place = [], state, cause }: FailureOptions = {}) {
    super(summary, { cause })
    this.name = 'ProviderFailure'
    this.detail = detail
    this.place = place
    this.state = state
  }
}

/** Converts an error to a diagnostic. `attempted` is the summary of errors other than ProviderFailure. */
export function diagnosticOf(error: unknown, attempted: string, content?: Content): ProviderDiagnostic {
  if (error instanceof ProviderFailure) {
    return diagnostic('error', error.message, error.detail, error.place, content)
  }
  const message = messageOf(error)
  const place = error instanceof TypeMismatchError ? error.place : []
  return diagnostic('error', attempted, message, place, content)
}

/** Builds a diagnostic; `place` is converted to a protocol path with the types of `content`. */
export function diagnostic(
  severity: 'error' | 'warning',
  summary: string,
  detail = '',
  place: Place = [],
  content?: Content,
): ProviderDiagnostic {
  const attribute = content === undefined ? [] : pathOf(place, elementTypeOf(content))
  return {
    severity,
    summary,
    ...(detail !== '' && { detail }),
    ...(attribute.length > 0 && { attribute, path: pathToText(attribute) }),
  }
}

// The protocol cannot address elements of sets, so that a path ends at the set.
function pathOf(place: Place, type: Type): Path {
  const path: PathStep[] = []
  let current: Type | undefined = type
  for (const part of place) {
    if (current?.kind === 'set') break
    if (typeof part === 'number') path.push(indexStep(part))
    else path.push(current?.kind === 'map' ? keyStep(part) : attributeStep(part))
    if (current?.kind === 'object') current = current.attributes.get(String(part))
    else current = current !== undefined && 'element' in current ? current.element : undefined
  }
  return path
}
