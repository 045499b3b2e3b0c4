/** Sync policies: which objects the server checks, plans and applies by itself, and when. */
export { allowing } from './permission.ts'
export { policyTypes } from './policy/policy-types.ts'
export { syncRules } from './policy/sync-rules.ts'
export { Sync } from './sync.ts'
export { SyncMetrics } from './sync-metrics.ts'
