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
import { elementTypeOf } from './element-type.ts'
import { MisfitError, type Place } from './misfit.ts'
import type { Content } from './schema.ts'

export interface FailureOptions {
  /** What happened, why it matters, what to do. */
  readonly detail?: string
  /** The attribute that is to blame: `['rules', 0, 'prefix']`. */
  readonly place?: Place
  /** What exists in spite of the failure: kept, and replaced by the next plan when a creation failed. */
  readonly state?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** Thrown by a provider's own functions to say what went wrong; any other error is told by its message. */
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

/** An error as a diagnostic. What was attempted is the summary of errors that have none. */
export function diagnosticOf(error: unknown, attempted: string, content?: Content): ProviderDiagnostic {
  if (error instanceof ProviderFailure) {
    return diagnostic('error', error.message, error.detail, error.place, content)
  }
  const message = error instanceof Error ? error.message : String(error)
  const place = error instanceof MisfitError ? error.place : []
  return diagnostic('error', attempted, message, place, content)
}

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

// Elements of sets can't be addressed, so that a path ends there.
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
