import { canonicalJson, compareUtf8, isJsonObject, type JsonValue, stringifyJson } from '@hykube/machinery/json'

/**
 * What a patch made of an object, as the library of Kubernetes writes it: objects that changed have their fields in order, all
 * others are as they were, but for custom resources, of which all are in order. Long ones are cut: who reads it wants to know what is wrong.
 */
export function patchedText(before: JsonValue, after: JsonValue, isCustom = false): string {
  const text = isCustom ? canonicalJson(after) : write(before, after)
  return text.length > longest ? `${text.slice(0, longest)} ...` : text
}

const longest = 16_384

function write(before: JsonValue | undefined, after: JsonValue): string {
  if (after === before || !isJsonObject(after) || !isJsonObject(before)) return stringifyJson(after)
  const fields = Object.keys(after)
    .sort(compareUtf8)
    .map((name) => `${JSON.stringify(name)}:${write(before[name], after[name]!)}`)
  return `{${fields.join(',')}}`
}
