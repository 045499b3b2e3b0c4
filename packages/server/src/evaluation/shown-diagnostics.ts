import type { PlanDiagnostic } from '@hykube/machinery/plan-api'
import { pathToText } from '@hykube/tfplugin/value'
import type { ResourceObject } from '../model/index.ts'
import type { Findings } from '../terraform/index.ts'
import { scrub, sensitiveStrings } from '../terraform/index.ts'
import type { InstanceConfig } from './instance-config.ts'

/** Converts a provider's diagnostics for users: secrets are redacted, and paths point into the spec. */
export function shownDiagnostics(
  { object }: { readonly object: ResourceObject },
  config: InstanceConfig | undefined,
  { diagnostics }: Pick<Findings, 'diagnostics'>,
): PlanDiagnostic[] {
  if (diagnostics.length === 0) return []
  const secrets =
    config === undefined
      ? []
      : [...config.secrets, ...sensitiveStrings(object.kind.schema, config.value, config.sensitive)]
  return scrub(diagnostics, secrets).map(({ severity, summary, detail, attribute }) => ({
    severity,
    summary,
    ...(detail !== undefined && detail !== '' && { detail }),
    ...(attribute !== undefined && attribute.length > 0 && { field: `spec.${pathToText(attribute)}` }),
  }))
}
