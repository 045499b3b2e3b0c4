import type { StoredChange } from '../../estate/index.ts'
import { type ChangeRecord, type NodeFacts, type NodePlace, nodeToText, type PlannerPorts } from '../../plan/index.ts'
import { expressionOf, expressionsOf } from './expressions.ts'

/** What is written of every object that a plan changes, as `configuration` has it: an entry for an object, however many instances it has. */
export async function* configurationOf(
  changes: AsyncIterable<StoredChange<ChangeRecord>>,
  reader: Pick<PlannerPorts, 'node'>,
): AsyncGenerator<object> {
  // The changes of an object stand together.
  let last = ''
  for await (const { place } of changes) {
    const text = nodeToText(place.node)
    if (text === last) continue
    last = text
    const facts = await reader.node(place.node)
    if (facts !== undefined && !facts.deleting) yield configuredResource(place.node, facts)
  }
}

function configuredResource({ name }: NodePlace, { kind, spec }: NodeFacts): object {
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
