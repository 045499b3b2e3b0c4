import type { ProviderDiagnostic } from '@hykube/tfplugin/protocol'
import { isList, isObject, isUnknown, type Value, type ValueObject } from '@hykube/tfplugin/value'
import { partsOf, readContent } from './content-values.ts'
import { diagnostic, diagnosticOf } from './failure.ts'
import type { ValidateOperation } from './operation.ts'
import type { AttributeSpec } from './schema/attribute.ts'
import { contentOf } from './schema/element-type.ts'
import type { SchemaSpec } from './schema/schema.ts'
import type { Place } from './schema/type-mismatch.ts'
import type { DraftConfig } from './views.ts'

export interface ValidateOptions {
  /** The validate function of the definition. */
  readonly validate?: ((operation: ValidateOperation<SchemaSpec>) => void | Promise<void>) | undefined
  /** True when the host supports write-only attributes, that is, does not store them. */
  readonly writeOnlyAllowed: boolean
}

/** Runs the validators of the attributes and of the definition, and returns their diagnostics. */
export async function validateConfig(
  spec: SchemaSpec,
  config: Value,
  { validate, writeOnlyAllowed }: ValidateOptions,
): Promise<ProviderDiagnostic[]> {
  if (!isObject(config)) return []
  const found: ProviderDiagnostic[] = []
  const report = (severity: 'error' | 'warning', summary: string, detail?: string, place?: Place) =>
    found.push(diagnostic(severity, summary, detail, place, spec))
  try {
    const read = readContent(spec, config)
    checkObject(spec, read, [], (place, attribute, value) => checkAttribute(attribute, value, place))
    await validate?.({
      config: read as DraftConfig<SchemaSpec>,
      fail: (summary, more = {}) => report('error', summary, more.detail, more.place),
      warn: (summary, more = {}) => report('warning', summary, more.detail, more.place),
    })
  } catch (error) {
    found.push(diagnosticOf(error, 'Invalid configuration', spec))
  }
  return found

  function checkAttribute({ options }: AttributeSpec, value: unknown, place: Place): void {
    if (options.writeOnly && !writeOnlyAllowed)
      report(
        'error',
        'Write-only attribute not allowed',
        'This client would store its value in the state; use a newer version of it.',
        place,
      )
    const problem = options.validate?.(value as never)
    if (problem !== undefined) report('error', 'Invalid value', problem, place)
  }
}

type CheckAttribute = (place: Place, spec: AttributeSpec, value: unknown) => void

// Visits all attributes, also nested ones; unknown and null values are not validated.
function checkObject(
  content: Parameters<typeof partsOf>[0],
  values: Readonly<Record<string, unknown>>,
  place: Place,
  check: CheckAttribute,
): void {
  for (const [name, spec] of partsOf(content)) {
    const value = values[name]
    const here = [...place, name]
    if (value === null || value === undefined || isUnknown(value)) continue
    if (spec.kind === 'attribute' && isKnown(value)) check(here, spec, value)
    const inner = contentOf(spec)
    if (inner === undefined) continue
    for (const [step, part] of nestedObjects(value, spec)) checkObject(inner, part, [...here, ...step], check)
  }
}

// Returns the objects inside a nested attribute or block with the path step to each: an index, a key or none.
function nestedObjects(
  value: unknown,
  spec: Parameters<typeof contentOf>[0],
): [Place, Readonly<Record<string, unknown>>][] {
  const isRecord = (part: unknown) => isObject(part as Value)
  if (isList(value as Value)) {
    return (value as readonly unknown[]).flatMap((part, i) => (isRecord(part) ? [[[i], part as ValueObject]] : []))
  }
  const nesting = spec.kind === 'block' ? spec.nesting : spec.shape.kind === 'nested' ? spec.shape.nesting : 'single'
  if (nesting !== 'map') return isRecord(value) ? [[[], value as ValueObject]] : []
  return Object.entries(value as ValueObject).flatMap(([key, part]) =>
    isRecord(part) ? [[[key], part as ValueObject]] : [],
  )
}

function isKnown(value: unknown): boolean {
  if (isUnknown(value)) return false
  if (Array.isArray(value)) return value.every(isKnown)
  return isObject(value as Value) ? Object.values(value as ValueObject).every(isKnown) : true
}
