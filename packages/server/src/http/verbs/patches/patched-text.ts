import { compareUtf8 } from '@hykube/machinery/base'
import { canonicalJson, isJsonObject, type JsonValue, stringifyJson } from '@hykube/machinery/json'

/**
 * Formats the result of a patch as Kubernetes' library does in errors: changed objects have sorted fields, others keep
 * their order; in custom resources all are sorted. Long texts are truncated.
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
