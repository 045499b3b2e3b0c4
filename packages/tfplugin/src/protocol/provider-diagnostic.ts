import type { Diagnostic } from '@hykube/machinery/status'
import { attributeStep, indexStep, keyStep, type Path, type PathStep, pathToText } from '../value/index.ts'

/** A diagnostic from a provider, with the attribute path as steps. */
export interface ProviderDiagnostic extends Diagnostic {
  /** Path within the value that was sent; undefined when the diagnostic concerns all of it. */
  readonly attribute?: Path
}

/** A diagnostic as encoded by the protocol. */
export interface WireDiagnostic {
  readonly severity: number
  readonly summary: string
  readonly detail: string
  readonly attribute?: WirePath
}

/** A path as encoded by the protocol; each step has one field set. */
export interface WirePath {
  readonly steps: readonly {
    readonly attributeName?: string
    readonly elementKeyString?: string
    readonly elementKeyInt?: number | bigint
  }[]
}

export function diagnosticFromWire({ severity, summary, detail, attribute }: WireDiagnostic): ProviderDiagnostic {
  const path = attribute === undefined ? [] : pathFromWire(attribute)
  return {
    // An unknown severity is treated as an error.
    severity: severity === warning ? 'warning' : 'error',
    summary,
    ...(detail !== '' && { detail }),
    ...(path.length > 0 && { attribute: path, path: pathToText(path) }),
  }
}

export function diagnosticToWire({ severity, summary, detail = '', attribute }: ProviderDiagnostic): WireDiagnostic {
  return {
    severity: severity === 'warning' ? warning : error,
    summary,
    detail,
    ...(attribute !== undefined && { attribute: pathToWire(attribute) }),
  }
}

/** Decodes a path. An empty step ends it, because the steps after it can't be interpreted. */
export function pathFromWire({ steps }: WirePath): Path {
  const path: PathStep[] = []
  for (const { attributeName, elementKeyString, elementKeyInt } of steps) {
    if (attributeName !== undefined) path.push(attributeStep(attributeName))
    else if (elementKeyString !== undefined) path.push(keyStep(elementKeyString))
    else if (elementKeyInt !== undefined) path.push(indexStep(Number(elementKeyInt)))
    else break
  }
  return path
}

export function pathToWire(path: Path): WirePath {
  return {
    steps: path.map((step) => {
      if (step.kind === 'attribute') return { attributeName: step.name }
      return step.kind === 'key' ? { elementKeyString: step.key } : { elementKeyInt: step.index }
    }),
  }
}

const error = 1
const warning = 2
