import type { JsonValue } from '@hykube/machinery/json'
import type { StatusCause } from '@hykube/machinery/status'
import { checkAnything } from '../translate/check/check-value.ts'
import { CheckWalk } from '../translate/check/check-walk.ts'
import type { TemplateSyntax } from '../translate/check/template-syntax.ts'

/**
 * Checks the expressions of a provider configuration. Attributes are not checked here, because the provider's schema may not be
 * known yet; the provider checks them when it is configured.
 */
export function configProblems(config: JsonValue | undefined, templates: TemplateSyntax): readonly StatusCause[] {
  const walk = new CheckWalk(templates)
  walk.inside('spec', () => walk.inside('config', () => checkAnything(config ?? null, walk)))
  return walk.causes
}
