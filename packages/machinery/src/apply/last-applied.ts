import { canonicalJson, isJsonObject, type JsonObject, type JsonValue, parseJsonText } from '../json/index.ts'
import { annotationBytes, maximumAnnotationBytes } from '../object/index.ts'
import type { TypeShape } from '../schema/index.ts'
import { compareTyped } from './compare.ts'
import { difference, type FieldSet } from './field-set.ts'
import { toFieldSet } from './to-field-set.ts'

/** The annotation in which client-side `kubectl apply` stores the configuration that it applied. */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'

/**
 * Returns the fields that client-side apply set and that have not changed since: `kubectl apply --server-side` may take them
 * over without a conflict. Undefined when the object was not applied that way, or in another version.
 */
export function fieldsLastApplied(shape: TypeShape, live: JsonObject, apiVersion: string): FieldSet | undefined {
  const lastApplied = parsed(annotationsOf(live)?.[lastAppliedAnnotation])
  if (lastApplied === undefined || lastApplied.apiVersion !== apiVersion) return undefined
  const { modified, added, removed } = compareTyped(shape, lastApplied, live)
  return difference(difference(difference(toFieldSet(shape, lastApplied), modified), added), removed)
}

/**
 * Updates the annotation of an object that has it to the configuration applied now, so that client-side apply still works
 * on it. The annotation is removed when it would exceed the size limit of annotations.
 */
export function withLastApplied(object: JsonObject, applied: JsonObject): JsonObject {
  const annotations = annotationsOf(object)
  if (!annotations?.[lastAppliedAnnotation]) return object
  const next: JsonObject = {
    ...annotations,
    [lastAppliedAnnotation]: `${canonicalJson(withoutAnnotation(applied))}\n`,
  }
  if (annotationBytes(next as Record<string, string>) > maximumAnnotationBytes) delete next[lastAppliedAnnotation]
  return { ...object, metadata: { ...(object.metadata as JsonObject), annotations: next } }
}

function withoutAnnotation(applied: JsonObject): JsonObject {
  const annotations = annotationsOf(applied)
  if (annotations === undefined || !Object.hasOwn(annotations, lastAppliedAnnotation)) return applied
  const { [lastAppliedAnnotation]: _, ...rest } = annotations
  return { ...applied, metadata: { ...(applied.metadata as JsonObject), annotations: rest } }
}

function annotationsOf(object: JsonObject): JsonObject | undefined {
  const metadata = object.metadata
  const annotations = isJsonObject(metadata) ? metadata.annotations : undefined
  return isJsonObject(annotations) ? annotations : undefined
}

function parsed(text: JsonValue | undefined): JsonObject | undefined {
  if (typeof text !== 'string' || text === '') return undefined
  try {
    const { value } = parseJsonText(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
