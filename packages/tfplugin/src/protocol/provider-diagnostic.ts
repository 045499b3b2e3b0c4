import type { Diagnostic } from '@hykube/machinery/status'
import { attributeStep, indexStep, keyStep, type Path, type PathStep, pathToText } from '../value/index.ts'

/** What a provider has to say about something it was given: a diagnostic, with the place as steps too. */
export interface ProviderDiagnostic extends Diagnostic {
  /** The place within the value that was sent; absent when it is about the whole. */
  readonly attribute?: Path
}

/** A diagnostic on the wire. */
export interface WireDiagnostic {
  readonly severity: number
  readonly summary: string
  readonly detail: string
  readonly attribute?: WirePath
}

/** A path on the wire; of a step one field is set. */
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
    // What is neither is taken for the worse.
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

/** A step that says nothing ends the path: what follows it can't be placed. */
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
