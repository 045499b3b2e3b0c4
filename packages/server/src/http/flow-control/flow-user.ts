/** The user of a request, as flow control sees it. */
export interface FlowUser {
  readonly name: string
  readonly groups: readonly string[]
}

/** True for administrators: other users' load must not keep them out. Kubernetes calls this its exempt priority level. */
export function isExempt({ groups }: FlowUser): boolean {
  return groups.includes('system:masters')
}
