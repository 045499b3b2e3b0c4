import { type KubernetesObject, withFinalizer, withoutFinalizer } from '@hykube/machinery/object'

/** An object as a client wants it, with a finalizer of the server on it exactly if it was there before. */
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
