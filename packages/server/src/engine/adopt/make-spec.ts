import type { JsonObject } from '@hykube/machinery/json'
import {
  type AccessSession,
  type NodeKind,
  type NodePlace,
  type ProviderAccess,
  sensitiveTree,
} from '../../plan/index.ts'
import { type CommonSpec, commonSpec } from './common-spec.ts'
import { findSettings } from './find-settings.ts'
import { describedAs, type TakenInstance } from './read-instances.ts'
import { SecretValues } from './secret-values.ts'
import { settablePart } from './settable-part.ts'
import type { StateImport } from './state-import.ts'
import { literalText, writtenForm } from './written-form.ts'

/** A specification that was made from states. */
export interface MadeSpec extends CommonSpec {
  /** Whether the provider plans no change from it, as far as it was asked. */
  readonly isQuiet: boolean
  /** What the Secret that it refers to has to hold. */
  readonly secrets: ReadonlyMap<string, string>
  /** The fields that were left out because they are sensitive and there is no Secret for them. */
  readonly leftOut: readonly string[]
}

/** Makes the specification of an object from what exists outside: a state holds none. */
export async function makeSpec(
  place: NodePlace,
  kind: NodeKind,
  instances: readonly TakenInstance[],
  wanted: Pick<StateImport, 'configuration' | 'dependencies' | 'references' | 'spec'>,
  access: ProviderAccess,
  session: AccessSession,
  secret: string | undefined,
): Promise<MadeSpec> {
  const current = instances.filter(({ deposed }) => deposed === undefined)
  const { block } = kind.schema
  const ready = current.map(({ state }) => state).filter(({ status }) => status === 'ready')
  const described = describedAs(place, kind, { key: current[0]?.key }, access)
  const { settable, isQuiet } = await findSettings(kind, described, ready, session)
  const { write, used } = referenceWriter(wanted)
  const hidden = new SecretValues(secret)
  const written = (text: string) => hidden.write(text) ?? write(text)
  const specs = current.map(({ key, state }) => ({
    key,
    spec: writtenForm(
      block,
      hidden.hide(
        settablePart(block, state.value, settable),
        sensitiveTree(kind.schema, state.value, state.sensitivePaths),
        key,
      ),
      written,
    ),
  }))
  const { spec, keys } = commonSpec(specs)
  const createsFirst = instances.some(({ createBeforeDestroy }) => createBeforeDestroy)
  const others = wanted.dependencies.filter((dependency) => !used.has(dependency))
  const made: JsonObject = {
    ...spec,
    ...(wanted.configuration !== '' && { provider: wanted.configuration }),
    ...(others.length > 0 && { depends_on: others }),
    ...(createsFirst && { lifecycle: { create_before_destroy: true } }),
    ...wanted.spec,
  }
  const { data: secrets, leftOut } = hidden
  const isAsFound = isQuiet && leftOut.length === 0 && Object.keys(wanted.spec).length === 0
  return { spec: made, keys, secrets, leftOut, isQuiet: isAsFound }
}

// A text that two dependencies have is taken for neither.
function referenceWriter({ references }: Pick<StateImport, 'references'>) {
  const known = new Map<string, StateImport['references'][number] | undefined>()
  for (const each of references) known.set(each.value, known.has(each.value) ? undefined : each)
  const used = new Set<string>()
  const write = (text: string) => {
    const found = known.get(text)
    if (found === undefined) return literalText(text)
    used.add(found.dependency)
    return `\${${found.expression}}`
  }
  return { write, used }
}
