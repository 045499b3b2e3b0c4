import { type KubernetesObject, withFinalizer, withoutFinalizer } from '@hykube/machinery/object'

/** Undoes a client's change to a finalizer that only the server may add or remove. */
export function keepFinalizer(
  object: KubernetesObject,
  old: KubernetesObject | undefined,
  finalizer: string,
): KubernetesObject {
  const { finalizers } = object.metadata ?? {}
  const isHeld = old?.metadata?.finalizers?.includes(finalizer) === true
  if ((finalizers?.includes(finalizer) === true) === isHeld) return object
  const kept = isHeld ? withFinalizer(finalizers, finalizer) : withoutFinalizer(finalizers, finalizer)
  const { finalizers: _, ...metadata } = object.metadata ?? {}
  return { ...object, metadata: { ...metadata, ...(kept.length > 0 && { finalizers: kept }) } }
}
