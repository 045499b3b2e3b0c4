import { parentPort } from 'node:worker_threads'
import { jsonFromYaml } from './json-from-yaml.ts'
import { yamlFromJson } from './yaml-text.ts'
import type { YamlAnswer, YamlOrder } from './yaml-work.ts'

// Large documents are converted here, because that takes a second for three megabytes.
parentPort!.on('message', (order: YamlOrder) => parentPort!.postMessage(answerTo(order)))

function answerTo(order: YamlOrder): YamlAnswer {
  const { id } = order
  try {
    return { id, text: order.kind === 'read' ? jsonFromYaml(order.bytes) : yamlFromJson(order.json) }
  } catch (error) {
    return { id, problem: error instanceof Error ? error.message : String(error) }
  }
}
