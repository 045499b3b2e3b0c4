import { isJsonObject, type JsonObject } from '@hykube/machinery/json'
import { attributeStep, indexStep, keyStep, type Path, type PathStep } from '@hykube/tfplugin/value'
import { defaultLifecycle, type Lifecycle } from '../model/index.ts'

/** Parses `lifecycle` of a spec. Admission validated it on write, so malformed parts are ignored here. */
export function lifecycleOf(spec: JsonObject): Lifecycle {
  const { lifecycle } = spec
  if (!isJsonObject(lifecycle)) return defaultLifecycle
  const { ignore_changes: ignored } = lifecycle
  return {
    ignoreChanges:
      ignored === 'all'
        ? 'all'
        : Array.isArray(ignored)
          ? ignored.flatMap((text) => (typeof text === 'string' ? [pathFromText(text)] : []))
          : [],
    preventDestroy: lifecycle.prevent_destroy === true,
    createBeforeDestroy: lifecycle.create_before_destroy === true,
    destroy: lifecycle.destroy !== false,
  }
}

/** Returns the name of the ProviderConfig of a spec; empty for the default configuration. */
export function configurationOf({ provider }: JsonObject): string {
  return typeof provider === 'string' ? provider : ''
}

/** Parses an attribute path such as `rules[0].tags["a"]`. */
export function pathFromText(text: string): Path {
  const steps: PathStep[] = []
  for (const [, name, index, key] of text.matchAll(step))
    steps.push(
      name !== undefined
        ? attributeStep(name)
        : index !== undefined
          ? indexStep(Number(index))
          : keyStep(JSON.parse(key!)),
    )
  return steps
}

const step = /\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g
