import { parentPort } from 'node:worker_threads'
import { messageOf } from '@hykube/machinery/base'
import { parseJsonText } from '@hykube/machinery/json'
import { jsonFromYaml } from './json-from-yaml.ts'
import { yamlFromJson } from './yaml-text.ts'
import type { YamlResult, YamlTask } from './yaml-work.ts'

// Converts large documents outside of the event loop: three megabytes take about a second.
parentPort!.on('message', (task: YamlTask) => parentPort!.postMessage(runTask(task)))

function runTask(task: YamlTask): YamlResult {
  const { id } = task
  try {
    return { id, text: textFor(task) }
  } catch (error) {
    return { id, problem: messageOf(error) }
  }
}

function textFor(task: YamlTask): string {
  if (task.kind === 'read') return jsonFromYaml(task.bytes)
  if (task.kind === 'write') return yamlFromJson(task.json)
  return `${JSON.stringify(parseJsonText(task.json).value, null, 2)}\n`
}
