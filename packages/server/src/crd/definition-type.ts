import { timeToText } from '@hykube/machinery/amounts'
import type { Clock } from '@hykube/machinery/base'
import { type Condition, type KubernetesObject, withCondition, withFinalizer } from '@hykube/machinery/object'
import type { ResourceType, Strategy } from '@hykube/machinery/resource-type'
import { type JsonSchema, knownFormats } from '@hykube/machinery/schema'
import {
  cleanupFinalizer,
  type Definition,
  definitionFrom,
  definitionResource,
  storageVersionOf,
} from './definition.ts'
import { validateDefinition } from './validation/validate-definition.ts'

/**
 * Adds the behaviour of CustomResourceDefinition to the built-in types: full validation, and deletion only after its
 * objects are gone.
 */
export function withDefinitionBehaviour(types: readonly ResourceType[], clock: Clock): ResourceType[] {
  return types.map((type) => (isDefinitionType(type) ? behaving(type, clock) : type))
}

function isDefinitionType({ group, names }: ResourceType): boolean {
  return group === definitionResource.group && names.plural === definitionResource.resource
}

function behaving(type: ResourceType, clock: Clock): ResourceType {
  return {
    ...type,
    validate: (object, old) =>
      validateDefinition(definitionFrom(object), old === undefined ? undefined : definitionFrom(old)),
    strategy: definitionStrategy(type.strategy, clock),
  }
}

function definitionStrategy(usual: Strategy, clock: Clock): Strategy {
  return {
    ...usual,
    prepareForCreate: (object) => withStoredVersion(usual.prepareForCreate(object)),
    prepareForUpdate: (object, old) => withStoredVersion(usual.prepareForUpdate(object, old)),
    prepareForDelete: (object) => markedForCleanup(object, timeToText(clock.now())),
    warnings: (object, old) =>
      formatWarnings(definitionFrom(object), old === undefined ? undefined : definitionFrom(old)),
  }
}

// A version stays in storedVersions until an administrator has migrated its objects and removes it.
function withStoredVersion(object: KubernetesObject): KubernetesObject {
  const { spec, status } = definitionFrom(object)
  const version = storageVersionOf(spec ?? { versions: [] })?.name
  const stored = status?.storedVersions ?? []
  if (version === undefined || stored.includes(version)) return object
  return { ...object, status: { ...status, storedVersions: [...stored, version] } }
}

function markedForCleanup(object: KubernetesObject, now: string): KubernetesObject {
  const { status, metadata } = definitionFrom(object)
  const condition: Condition = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: now,
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  }
  return {
    ...object,
    metadata: { ...metadata, finalizers: withFinalizer(metadata?.finalizers, cleanupFinalizer) },
    status: { ...status, conditions: withCondition(status?.conditions ?? [], condition) },
  }
}

// Kubernetes ignores unknown formats with a warning.
function formatWarnings(definition: Definition, old: Definition | undefined): string[] {
  const before = old === undefined ? new Set<string>() : formatsOf(old)
  return [...formatsOf(definition)]
    .filter((format) => !before.has(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`)
}

const numberFormats = ['int32', 'int64', 'float', 'double']

function formatsOf({ spec }: Definition): ReadonlySet<string> {
  const known = new Set([...knownFormats(), ...numberFormats])
  const found = new Set<string>()
  const visit = (schema: JsonSchema | undefined): void => {
    if (schema === undefined) return
    if (schema.format && !known.has(schema.format)) found.add(schema.format)
    for (const property of Object.values(schema.properties ?? {})) visit(property)
    if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties)
    visit(schema.items)
  }
  for (const version of spec.versions ?? []) visit(version.schema?.openAPIV3Schema)
  return found
}
