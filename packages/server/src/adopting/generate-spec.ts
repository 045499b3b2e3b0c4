import type { JsonObject } from '@hykube/machinery/json'
import type { AccessSession, ProviderAccess } from '../evaluation/index.ts'
import { resourceInstance } from '../evaluation/index.ts'
import type { ResourceKind, ResourceRef } from '../model/index.ts'
import { addressOf } from '../model/index.ts'
import { sensitiveTree } from '../terraform/index.ts'
import { type CommonSpec, commonSpec } from './common-spec.ts'
import { configToSpec, escapeTemplate } from './config-to-spec.ts'
import { configurablePart } from './configurable-part.ts'
import { inferConfiguration } from './infer-configuration.ts'
import type { ImportedInstance } from './read-instances.ts'
import { SecretValues } from './secret-values.ts'
import type { StateImport } from './state-import.ts'

/** A spec that was generated from states. */
export interface GeneratedSpec extends CommonSpec {
  /** Texts about each attribute that a plan would change; empty when the provider plans no change for the sampled instances. */
  readonly changes: readonly string[]
  /** True when the object needs no plan to be as it was found. */
  readonly isAsFound: boolean
  /** The data of the Secret that the spec refers to, by key. */
  readonly secrets: ReadonlyMap<string, string>
  /** Fields without a value because it is sensitive and the user may not write a Secret for it. */
  readonly omitted: readonly string[]
}

/**
 * Generates the spec of an object from imported states. Sensitive values become references to a Secret, values of dependencies become
 * references to them, and `depends_on` keeps the dependencies that no reference expresses.
 */
export async function generateSpec(
  ref: ResourceRef,
  kind: ResourceKind,
  instances: readonly ImportedInstance[],
  wanted: Pick<StateImport, 'configuration' | 'dependencies' | 'references' | 'spec'>,
  access: ProviderAccess,
  session: AccessSession,
  secret: string | undefined,
): Promise<GeneratedSpec> {
  const current = instances.filter(({ deposed }) => deposed === undefined)
  const { block } = kind.schema
  const ready = current.map(({ state }) => state).filter(({ status }) => status === 'ready')
  const described = resourceInstance(kind, access, addressOf({ ref, kind }, current[0]?.key))
  const { choice, changes } = await inferConfiguration(kind, described, ready, session)
  const { write, used } = referenceWriter(wanted)
  const hidden = new SecretValues(secret)
  const written = (text: string) => hidden.write(text) ?? write(text)
  const specs = current.map(({ key, state }) => ({
    key,
    spec: configToSpec(
      block,
      hidden.hide(
        configurablePart(block, state.value, choice),
        sensitiveTree(kind.schema, state.value, state.sensitivePaths),
        key,
      ),
      written,
    ),
  }))
  const { spec, keys } = commonSpec(specs)
  const createsFirst = instances.some(({ createBeforeDestroy }) => createBeforeDestroy)
  const others = wanted.dependencies.filter((dependency) => !used.has(dependency))
  const complete: JsonObject = {
    ...spec,
    ...(wanted.configuration !== '' && { provider: wanted.configuration }),
    ...(others.length > 0 && { depends_on: others }),
    ...(createsFirst && { lifecycle: { create_before_destroy: true } }),
    ...wanted.spec,
  }
  const { data: secrets, omitted } = hidden
  const isAsFound = changes.length === 0 && omitted.length === 0 && Object.keys(wanted.spec).length === 0
  return { spec: complete, keys, secrets, omitted, changes, isAsFound }
}

// Writes a string as a reference when exactly one dependency has that value, with the first expression if it has several, such as an id
// that equals the ARN. A value that two dependencies share stays a literal, because the state doesn't say which of them it came from.
function referenceWriter({ references }: Pick<StateImport, 'references'>) {
  const known = new Map<string, StateImport['references'][number] | undefined>()
  for (const each of references) {
    const other = known.get(each.value)
    if (other !== undefined && other.dependency === each.dependency) continue
    known.set(each.value, known.has(each.value) ? undefined : each)
  }
  const used = new Set<string>()
  const write = (text: string) => {
    const found = known.get(text)
    if (found === undefined) return escapeTemplate(text)
    used.add(found.dependency)
    return `\${${found.expression}}`
  }
  return { write, used }
}
