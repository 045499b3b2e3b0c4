import type { CallOptions } from '@hykube/tfplugin/grpc'
import type { ImportResourceStateRequest, ImportResourceStateResponse } from '@hykube/tfplugin/protocol'
import { pathToText } from '@hykube/tfplugin/value'
import type { InstanceState } from '../../model/index.ts'
import { invalidAnswer } from '../invalid-answer.ts'
import { withRepeatedSecrets } from '../secrets/repeated-secrets.ts'
import { writeOnlyLeaks } from '../secrets/write-only.ts'
import { type Failure, type Findings, FindingsOf } from './findings.ts'
import { clientCapabilitiesOf, type ProviderPort, type ResourceInstance } from './instance.ts'
import type { Importing } from './planned-instance.ts'
import { type DeferredRead, refreshState } from './refresh-state.ts'

/** The state of an existing resource that was found by an import. */
export interface ImportedState extends Findings {
  readonly kind: 'imported'
  readonly state: InstanceState
}

/** Imports an existing resource and reads it. Rejects when the provider could not be called. */
export async function importState(
  instance: ResourceInstance,
  target: Importing,
  provider: ProviderPort,
  options?: CallOptions,
): Promise<ImportedState | DeferredRead | Failure> {
  try {
    const found = judgeImport(
      instance,
      target,
      await provider.importResourceState(importRequestFor(instance, target), options),
    )
    return found.kind === 'imported' ? await readImported(instance, target, found, provider, options) : found
  } catch (error) {
    return invalidAnswer(instance, error, 'Provider produced invalid object')
  }
}

/** Builds the ImportResourceState request for an id or an identity. */
export function importRequestFor(instance: ResourceInstance, target: Importing): ImportResourceStateRequest {
  const { typeName } = instance
  const clientCapabilities = clientCapabilitiesOf(instance)
  return target.kind === 'id'
    ? { typeName, id: target.id, clientCapabilities }
    : { typeName, identity: target.identity, clientCapabilities }
}

/** Checks the provider's answer. The state may be incomplete: providers fill it only when refreshState reads it. */
export function judgeImport(
  instance: ResourceInstance,
  target: Importing,
  response: ImportResourceStateResponse,
): ImportedState | DeferredRead | Failure {
  const findings = new FindingsOf(instance)
  findings.add(response.diagnostics)
  if (findings.hasErrors) return findings.failure()
  if (response.deferred !== undefined && instance.deferralAllowed === true)
    return { kind: 'deferred', reason: response.deferred, ...findings.all }
  const [found, ...others] = response.importedResources
  const by = targetText(target)
  if (found === undefined) findings.error('Import returned no resources', `The provider found nothing ${by}.`)
  else if (others.length > 0)
    findings.error('Multiple import states not supported', `The provider found ${others.length + 1} objects ${by}.`)
  else if (found.typeName !== instance.typeName)
    findings.error('Import returned another type', `The provider found a ${found.typeName} ${by}.`)
  else if (found.state === null) findings.error('Import returned null resource', `The provider found nothing ${by}.`)
  else for (const path of writeOnlyLeaks(instance.schema, found.state)) leak(findings, pathToText(path))
  if (found === undefined || findings.hasErrors) return findings.failure()
  const state: InstanceState = {
    value: found.state,
    private: found.private,
    schemaVersion: instance.schema.version,
    status: 'ready',
    sensitivePaths: withRepeatedSecrets(instance, { value: found.state, sensitive: [], given: [] }),
    ...(found.identity !== undefined && { identity: found.identity }),
  }
  return { kind: 'imported', state, ...findings.all }
}

function leak(findings: FindingsOf, attribute: string): void {
  findings.bug('Provider produced invalid object', `returned a value for the write-only attribute ${attribute}`)
}

async function readImported(
  instance: ResourceInstance,
  target: Importing,
  found: ImportedState,
  provider: ProviderPort,
  options?: CallOptions,
): Promise<ImportedState | DeferredRead | Failure> {
  const read = await refreshState(instance, found.state, provider, options)
  if (read.kind !== 'refreshed') return read
  const findings = new FindingsOf(instance)
  findings.take(found)
  findings.take(read)
  if (read.state !== undefined) return { kind: 'imported', state: read.state, ...findings.all }
  findings.error(
    'Cannot import non-existent remote object',
    `There is no object ${targetText(target)} to be imported as ${instance.address}. Check the id, and the region and account that the provider is configured for.`,
  )
  return findings.failure()
}

function targetText(target: Importing): string {
  return target.kind === 'id' ? `by the id ${JSON.stringify(target.id)}` : 'by the identity given'
}
