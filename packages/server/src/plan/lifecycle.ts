import { isJsonObject, type JsonObject } from '@hykube/machinery/json'
import { attributeStep, indexStep, keyStep, type Path, type PathStep } from '@hykube/tfplugin/value'
import { defaultLifecycle, type Lifecycle } from './rules/instance.ts'

/** What `lifecycle` in a spec wishes. It was checked when it was written: what can't be read is left out. */
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

/** Which configuration of its provider a spec names; empty for the default one. */
export function configurationOf({ provider }: JsonObject): string {
  return typeof provider === 'string' ? provider : ''
}

/** The place that a text as `rules[0].tags["a"]` names. */
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
