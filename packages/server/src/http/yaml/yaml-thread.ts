import { parentPort } from 'node:worker_threads'
import { parseJsonText } from '@hykube/machinery/json'
import { jsonFromYaml } from './json-from-yaml.ts'
import { yamlFromJson } from './yaml-text.ts'
import type { YamlAnswer, YamlOrder } from './yaml-work.ts'

// Large documents are converted here, because that takes a second for three megabytes.
parentPort!.on('message', (order: YamlOrder) => parentPort!.postMessage(answerTo(order)))

function answerTo(order: YamlOrder): YamlAnswer {
  const { id } = order
  try {
    return { id, text: textFor(order) }
  } catch (error) {
    return { id, problem: error instanceof Error ? error.message : String(error) }
  }
}

function textFor(order: YamlOrder): string {
  if (order.kind === 'read') return jsonFromYaml(order.bytes)
  if (order.kind === 'write') return yamlFromJson(order.json)
  return `${JSON.stringify(parseJsonText(order.json).value, null, 2)}\n`
}
