/** The results of checks for drift, and the steps of the Plans of policies. Their number is fixed, so that metrics take bounded memory. */
const checkResults = ['completed', 'failed'] as const
const proposalOutcomes = ['proposed', 'approved', 'superseded', 'forbidden', 'failed'] as const

/** Counters of the sync loop, for Prometheus. Without a policy they stay zero. */
export class SyncMetrics {
  readonly #checks = new Map<(typeof checkResults)[number], number>()
  readonly #proposals = new Map<(typeof proposalOutcomes)[number], number>()
  /** Returns the drifted objects of all policies. Set while this server carries out policies. */
  drifted: () => number = () => 0

  countCheck(result: (typeof checkResults)[number]): void {
    this.#checks.set(result, (this.#checks.get(result) ?? 0) + 1)
  }

  countProposal(outcome: (typeof proposalOutcomes)[number]): void {
    this.#proposals.set(outcome, (this.#proposals.get(outcome) ?? 0) + 1)
  }

  /** The metrics in Prometheus' text format. */
  get lines(): string[] {
    return [
      '# HELP hykube_sync_checks_total Checks of policies for drift, by result.',
      '# TYPE hykube_sync_checks_total counter',
      ...checkResults.map((each) => `hykube_sync_checks_total{result="${each}"} ${this.#checks.get(each) ?? 0}`),
      '# HELP hykube_sync_drifted_resources Objects that differed from what was applied when their policy was last checked.',
      '# TYPE hykube_sync_drifted_resources gauge',
      `hykube_sync_drifted_resources ${this.drifted()}`,
      '# HELP hykube_sync_proposals_total Plans of policies, and attempts at them, by outcome.',
      '# TYPE hykube_sync_proposals_total counter',
      ...proposalOutcomes.map(
        (each) => `hykube_sync_proposals_total{outcome="${each}"} ${this.#proposals.get(each) ?? 0}`,
      ),
    ]
  }
}
