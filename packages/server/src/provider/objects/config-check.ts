import type { JsonValue } from '@hykube/machinery/json'
import type { StatusCause } from '@hykube/machinery/status'
import { checkAnything } from '../translate/check-value.ts'
import { CheckWalk } from '../translate/check-walk.ts'
import type { TemplateSyntax } from '../translate/template-syntax.ts'

/**
 * What is wrong with a configuration before the provider's schema is known: its expressions. Whether the attributes exist
 * is told when the provider is configured.
 */
export function configProblems(config: JsonValue | undefined, templates: TemplateSyntax): readonly StatusCause[] {
  const walk = new CheckWalk(templates)
  walk.inside('spec', () => walk.inside('config', () => checkAnything(config ?? null, walk)))
  return walk.causes
}
