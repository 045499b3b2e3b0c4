import type { Schema } from '@hykube/tfplugin/schema'
import type { Path, Value } from '@hykube/tfplugin/value'
import { walkAttributes } from '../attribute-walk.ts'
import { isNull } from '../parts.ts'
import { factsOf } from '../schema-facts.ts'

/** Lists the write-only attributes that have a value in a provider's answer; they must always be null. */
export function writeOnlyLeaks({ block }: Schema, value: Value): Path[] {
  if (!factsOf(block).writeOnly) return []
  const leaks: Path[] = []
  walkAttributes(block, value, (attribute, part, path) => {
    if (!attribute.writeOnly) return true
    if (!isNull(part)) leaks.push(path)
    return false
  })
  return leaks
}
