import { timeToText } from '@hykube/machinery/amounts'
import { conditionsWith, type StatusFields, type Workload } from './workload.ts'

/** Status of a node with a healthy kubelet. Undefined once the node has a Ready condition. */
export function readyNodeStatus(node: Workload, now: number): StatusFields | undefined {
  return nodeStatus(node, now, { status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' })
}

/** Status of a node whose kubelet never reported. Undefined once the node has a Ready condition. */
export function unreportedNodeStatus(node: Workload, now: number): StatusFields | undefined {
  const message = 'Kubelet never posted node status.'
  return nodeStatus(node, now, { status: 'Unknown', reason: 'NodeStatusNeverUpdated', message })
}

interface NodeCondition {
  readonly status: 'True' | 'Unknown'
  readonly reason: string
  readonly message: string
}

function nodeStatus(node: Workload, now: number, condition: NodeCondition): StatusFields | undefined {
  const { conditions } = node.status ?? {}
  if (conditions?.some(({ type }) => type === 'Ready')) return undefined
  const lastHeartbeatTime = timeToText(now)
  return { conditions: conditionsWith(node, now, { type: 'Ready', ...condition, lastHeartbeatTime }) }
}
