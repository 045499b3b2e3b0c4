import type { UpgradeResourceStateRequest, UpgradeResourceStateResponse } from '@hykube/tfplugin/protocol'
import { type Type, valueFromJson } from '@hykube/tfplugin/value'
import { diagnosticOf, ProviderFailure } from './failure.ts'
import type { ResourceDefinition } from './resource.ts'
import { elementTypeOf } from './schema/element-type.ts'
import type { Call } from './session.ts'

/** Answers UpgradeResourceState: converts a stored state to the current schema version. */
export function upgradeState(
  definition: ResourceDefinition,
  { typeName, version, rawState }: UpgradeResourceStateRequest,
  call: Call,
): UpgradeResourceStateResponse {
  try {
    if (rawState.kind !== 'json') throw new ProviderFailure('Cannot read a state from before Terraform 0.12')
    const json = upgraded(definition, version, rawState.json)
    return { upgradedState: valueFromJson(json, elementTypeOf(definition.schema)), diagnostics: call.diagnostics }
  } catch (error) {
    call.diagnostics.push(diagnosticOf(error, `Cannot upgrade the state of ${typeName}`))
    return { diagnostics: call.diagnostics }
  }
}

function upgraded({ schema, upgrade = {} }: ResourceDefinition, version: number, json: string): string {
  if (version > schema.version)
    throw new ProviderFailure('State was written by a newer provider', {
      detail: `The state has version ${version}, and this provider supports versions up to ${schema.version}. Use a newer provider.`,
    })
  let state = JSON.parse(json, version === schema.version ? keepDigits : undefined) as Record<string, unknown>
  for (let from = version; from < schema.version; from++) {
    const step = upgrade[from]
    if (step === undefined)
      throw new ProviderFailure('Unsupported state version', {
        detail: `The provider cannot upgrade a state from version ${from} to version ${from + 1}.`,
      })
    state = step(state)
  }
  return JSON.stringify(withoutUndeclared(state, elementTypeOf(schema)))
}

// Keeps the source text of numbers, so that none is rounded. Upgrade functions get plain numbers instead.
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined ? rawJson(context.source) : value
}

const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown }

// Drops attributes that were removed from the schema without a new version; decoding would reject them.
function withoutUndeclared(value: unknown, type: Type): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    return type.kind === 'list' || type.kind === 'set'
      ? value.map((part) => withoutUndeclared(part, type.element))
      : value
  }
  const entries = Object.entries(value)
  if (type.kind === 'map')
    return Object.fromEntries(entries.map(([key, part]) => [key, withoutUndeclared(part, type.element)]))
  if (type.kind !== 'object') return value
  return Object.fromEntries(
    entries.flatMap(([name, part]) => {
      const inner = type.attributes.get(name)
      return inner === undefined ? [] : [[name, withoutUndeclared(part, inner)]]
    }),
  )
}
