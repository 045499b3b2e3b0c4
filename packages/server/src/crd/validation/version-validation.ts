import { type JsonValue, jsonEquals } from '@hykube/machinery/json'
import { duplicateValue, forbiddenValue, invalidValue, requiredValue, tooMany } from '@hykube/machinery/object'
import type { JsonSchema } from '@hykube/machinery/schema'
import type { StatusCause } from '@hykube/machinery/status'
import type { DefinitionVersion, PrinterColumn } from '../definition.ts'
import { fieldAt } from './field-path.ts'
import { validateSchema } from './schema-validation.ts'

/** Field paths under which the errors of each part are reported; a part without a path is not checked. */
export interface PartPaths {
  readonly deprecation?: string
  readonly schema?: string
  readonly subresources?: string
  readonly columns?: string
  readonly selectable?: string
}

/** Context of a version's validation. */
export interface VersionContext {
  readonly hasStatus: boolean
  /** The old version, on updates. */
  readonly old: DefinitionVersion | undefined
}

/** Checks the parts of a version that have a path. */
export function validateVersion(version: DefinitionVersion, places: PartPaths, context: VersionContext): StatusCause[] {
  const { deprecated, deprecationWarning, schema, subresources, additionalPrinterColumns = [] } = version
  const causes: StatusCause[] = []
  if (places.deprecation !== undefined) {
    const problems = deprecationProblems(deprecated === true, deprecationWarning)
    causes.push(...problems.map((problem) => invalidValue(places.deprecation!, deprecationWarning, problem)))
  }
  if (places.schema !== undefined && schema?.openAPIV3Schema !== undefined) {
    causes.push(...rootProblems(schema.openAPIV3Schema, places.schema, context.hasStatus))
    const before = context.old?.schema?.openAPIV3Schema
    const wasAccepted = before !== undefined && jsonEquals(schema.openAPIV3Schema as JsonValue, before as JsonValue)
    causes.push(...validateSchema(schema.openAPIV3Schema, places.schema, wasAccepted))
  }
  if (places.subresources !== undefined) causes.push(...scaleProblems(subresources?.scale, places.subresources))
  if (places.columns !== undefined) {
    for (const [index, column] of additionalPrinterColumns.entries()) {
      causes.push(...columnProblems(column, `${places.columns}[${index}]`))
    }
  }
  return places.selectable === undefined ? causes : [...causes, ...selectableProblems(version, places.selectable)]
}

function deprecationProblems(deprecated: boolean, warning: string | undefined): string[] {
  if (warning === undefined || warning === null) return []
  if (!deprecated) return ['can only be set for deprecated versions']
  const problems: string[] = []
  if (warning.length > 256) problems.push('must be <= 256 characters long')
  if (warning === '') problems.push('must not be an empty string')
  return problems
}

// With the status subresource, Kubernetes validates properties.status separately; other restrictions at the root would
// be ignored for it.
const allowedAtRoot = [
  ...['Description', 'Type', 'Format', 'Title', 'Maximum', 'ExclusiveMaximum', 'Minimum', 'ExclusiveMinimum'],
  ...['MaxLength', 'MinLength', 'Pattern', 'MaxItems', 'MinItems', 'UniqueItems', 'MultipleOf', 'Required', 'Items'],
  ...['Properties', 'ExternalDocs', 'Example', 'XPreserveUnknownFields', 'XValidations'],
]

const rootFields = new Set(
  allowedAtRoot
    .map((name) => name[0]!.toLowerCase() + name.slice(1))
    .concat(['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-validations']),
)

function rootProblems(schema: JsonSchema, field: string, hasStatus: boolean): StatusCause[] {
  const causes: StatusCause[] = []
  if (hasStatus) {
    if (schema.type !== undefined && schema.type !== 'object') {
      const detail =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
      causes.push(invalidValue(`${field}.type`, schema.type, detail))
    }
    const others = Object.entries(schema).filter(([name, value]) => !rootFields.has(name) && value !== false)
    if (others.length > 0) {
      const detail = `only [${allowedAtRoot.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`
      causes.push(invalidValue(field, schema, detail))
    }
  }
  if (schema.nullable === true) {
    causes.push(forbiddenValue(`${field}.nullable`, 'nullable cannot be true at the root'))
  }
  return causes
}

function scaleProblems(scale: NonNullable<DefinitionVersion['subresources']>['scale'], path: string): StatusCause[] {
  if (scale === undefined) return []
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = '' } = scale
  return [
    ...simplePath(`${path}.scale.specReplicasPath`, specReplicasPath, ['.spec.'], 'should be a json path under .spec'),
    ...simplePath(
      `${path}.scale.statusReplicasPath`,
      statusReplicasPath,
      ['.status.'],
      'should be a json path under .status',
    ),
    ...(labelSelectorPath === ''
      ? []
      : simplePath(
          `${path}.scale.labelSelectorPath`,
          labelSelectorPath,
          ['.spec.', '.status.'],
          'should be a json path under either .spec or .status',
        )),
  ]
}

function simplePath(field: string, path: string, under: readonly string[], detail: string): StatusCause[] {
  if (path === '') return [requiredValue(field)]
  if (!path.startsWith('.')) return [invalidValue(field, path, 'must be a simple json path starting with .')]
  return under.some((prefix) => path.startsWith(prefix)) ? [] : [invalidValue(field, path, detail)]
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string']
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']

function columnProblems({ name, type, format, jsonPath }: PrinterColumn, path: string): StatusCause[] {
  const causes: StatusCause[] = []
  if (!name) causes.push(requiredValue(`${path}.name`))
  const types = `must be one of ${columnTypes.join(',')}`
  if (!type) causes.push(requiredValue(`${path}.type`, types))
  else if (!columnTypes.includes(type)) causes.push(invalidValue(`${path}.type`, type, types))
  if (format && !columnFormats.includes(format)) {
    causes.push(invalidValue(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`))
  }
  if (!jsonPath) causes.push(requiredValue(`${path}.JSONPath`))
  else if (!jsonPath.startsWith('.')) {
    causes.push(invalidValue(`${path}.JSONPath`, jsonPath, 'must be a simple json path starting with .'))
  }
  return causes
}

const maximumSelectable = 8

function selectableProblems({ selectableFields = [], schema }: DefinitionVersion, path: string): StatusCause[] {
  const root = schema?.openAPIV3Schema
  if (selectableFields.length === 0 || root === undefined) return []
  const seen = new Set<string>()
  const causes = selectableFields.flatMap(({ jsonPath }, index) =>
    selectable(jsonPath, root, `${path}[${index}].jsonPath`, seen),
  )
  if (seen.size > maximumSelectable) causes.push(tooMany(path, seen.size, maximumSelectable))
  return causes
}

function selectable(jsonPath: string, root: JsonSchema, field: string, seen: Set<string>): StatusCause[] {
  if (!jsonPath) return [requiredValue(field)]
  const found = fieldAt(root, jsonPath)
  if (found.kind === 'wrong') return [invalidValue(field, jsonPath, `is an invalid path: ${found.why}`)]
  const causes: StatusCause[] = []
  if (found.fields[0] === 'metadata') causes.push(invalidValue(field, jsonPath, 'must not point to fields in metadata'))
  if (!['string', 'boolean', 'integer'].includes(found.schema.type ?? '')) {
    const detail =
      'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
    causes.push(invalidValue(field, jsonPath, detail))
  }
  const name = found.fields.join('.')
  if (seen.has(name)) causes.push(duplicateValue(field, jsonPath))
  seen.add(name)
  return causes
}
