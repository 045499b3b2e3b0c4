import type { StoredChange } from '../../estate/index.ts'
import type { PlannerPorts } from '../../evaluation/index.ts'
import { type ChangeRecord, type ResourceObject, type ResourceRef, refToText } from '../../model/index.ts'
import { expressionOf, expressionsOf } from './expressions.ts'

/** Lists the specs of all objects that a plan changes as entries of `configuration`, one per object. */
export async function* configurationOf(
  changes: AsyncIterable<StoredChange<ChangeRecord>>,
  reader: Pick<PlannerPorts, 'object'>,
): AsyncGenerator<object> {
  // Changes of an object are adjacent.
  let last = ''
  for await (const { target } of changes) {
    const text = refToText(target.ref)
    if (text === last) continue
    last = text
    const facts = await reader.object(target.ref)
    if (facts !== undefined && !facts.deleting) yield configuredResource(target.ref, facts)
  }
}

function configuredResource({ name }: ResourceRef, { kind, spec }: ResourceObject): object {
  const { provider, count, for_each, depends_on } = spec
  return {
    address: `${kind.data ? 'data.' : ''}${kind.type}.${name}`,
    mode: kind.data ? 'data' : 'managed',
    type: kind.type,
    name,
    provider_config_key: typeof provider === 'string' ? `${kind.provider}.${provider}` : kind.provider,
    expressions: expressionsOf(kind.schema.block, spec),
    schema_version: kind.schema.version,
    ...(count !== undefined && { count_expression: expressionOf(count) }),
    ...(for_each !== undefined && { for_each_expression: expressionOf(for_each) }),
    ...(Array.isArray(depends_on) && { depends_on }),
  }
}
