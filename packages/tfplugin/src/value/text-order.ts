import { compareUtf8 } from '@hykube/machinery/base'
/**
 * Returns an object's member names in the order of their UTF-8 bytes. Most objects are ordered already, and checking costs less than
 * sorting.
 */
export function namesInOrder(object: object): readonly string[] {
  const names = Object.keys(object)
  for (let at = 1; at < names.length; at++)
    if (compareUtf8(names[at - 1]!, names[at]!) > 0) return names.sort(compareUtf8)
  return names
}
