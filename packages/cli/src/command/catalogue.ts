import type { Command } from 'commander'
import type { Host } from './host/host.ts'

/** The groups of commands, in the order of the help. */
export const commandGroups = ['Server', 'Work', 'Look', 'Adopt', 'Operate'] as const

/** A command before it is loaded: as much as help and completion need. */
export interface CommandEntry {
  readonly name: string
  readonly group: (typeof commandGroups)[number]
  readonly summary: string
  /** The completions of its arguments. */
  readonly completes?: 'plan' | 'address' | readonly string[]
  readonly load: () => Promise<(host: Host) => Command>
}

/** All commands. Each is loaded when it is called, because loading all takes long. */
export const catalogue: readonly CommandEntry[] = [
  {
    name: 'serve',
    group: 'Server',
    summary: 'Run the server',
    load: async () => (await import('./operate/serve.ts')).serveCommand,
  },
  {
    name: 'plan',
    group: 'Work',
    summary: 'Show what would be created, updated, replaced and destroyed',
    load: async () => (await import('./plans/plan.ts')).planCommand,
  },
  {
    name: 'apply',
    group: 'Work',
    summary: 'Apply a plan; with -f: write files, plan, ask and apply',
    completes: 'plan',
    load: async () => (await import('./plans/apply.ts')).applyCommand,
  },
  {
    name: 'destroy',
    group: 'Work',
    summary: 'Destroy the real resources; keep the objects',
    load: async () => (await import('./plans/destroy.ts')).destroyCommand,
  },
  {
    name: 'approve',
    group: 'Work',
    summary: 'Approve a plan; the server applies it',
    completes: 'plan',
    load: async () => (await import('./plans/decide.ts')).approveCommand,
  },
  {
    name: 'reject',
    group: 'Work',
    summary: 'Reject a plan',
    completes: 'plan',
    load: async () => (await import('./plans/decide.ts')).rejectCommand,
  },
  {
    name: 'cancel',
    group: 'Work',
    summary: 'Cancel a plan; running changes are finished',
    completes: 'plan',
    load: async () => (await import('./plans/cancel.ts')).cancelCommand,
  },
  {
    name: 'get',
    group: 'Look',
    summary: 'Show objects as a table',
    completes: 'address',
    load: async () => (await import('./look/get.ts')).getCommand,
  },
  {
    name: 'describe',
    group: 'Look',
    summary: 'Show objects with all fields and events',
    completes: 'address',
    load: async () => (await import('./look/describe.ts')).describeCommand,
  },
  {
    name: 'delete',
    group: 'Work',
    summary: 'Delete objects',
    completes: 'address',
    load: async () => (await import('./look/delete.ts')).deleteCommand,
  },
  {
    name: 'show',
    group: 'Look',
    summary: 'Show a resource or a plan',
    completes: 'address',
    load: async () => (await import('./look/show.ts')).showCommand,
  },
  {
    name: 'drift',
    group: 'Look',
    summary: 'Find changes made outside of Hykube',
    load: async () => (await import('./plans/drift.ts')).driftCommand,
  },
  {
    name: 'sync',
    group: 'Look',
    summary: 'Show and control sync policies',
    load: async () => (await import('./plans/sync.ts')).syncCommand,
  },
  {
    name: 'history',
    group: 'Look',
    summary: 'List plans: who planned and approved them, and when',
    load: async () => (await import('./plans/history.ts')).historyCommand,
  },
  {
    name: 'graph',
    group: 'Look',
    summary: 'Show references between resources',
    completes: 'address',
    load: async () => (await import('./look/graph.ts')).graphCommand,
  },
  {
    name: 'instances',
    group: 'Look',
    summary: 'List the instances of a resource with count or for_each',
    completes: 'address',
    load: async () => (await import('./look/instances.ts')).instancesCommand,
  },
  {
    name: 'import',
    group: 'Adopt',
    summary: 'Adopt a real resource by its id',
    completes: 'address',
    load: async () => (await import('./adopt/import.ts')).importCommand,
  },
  {
    name: 'import-state',
    group: 'Adopt',
    summary: 'Adopt the resources of a Terraform state file',
    load: async () => (await import('./adopt/import-state.ts')).importStateCommand,
  },
  {
    name: 'export-state',
    group: 'Adopt',
    summary: 'Write a Terraform state file',
    load: async () => (await import('./adopt/export-state.ts')).exportStateCommand,
  },
  {
    name: 'resolve',
    group: 'Adopt',
    summary: 'Resolve a change with unknown outcome',
    completes: 'address',
    load: async () => (await import('./adopt/resolve.ts')).resolveCommand,
  },
  {
    name: 'undelete',
    group: 'Adopt',
    summary: 'Undo the deletion of a resource',
    completes: 'address',
    load: async () => (await import('./adopt/undelete.ts')).undeleteCommand,
  },
  {
    name: 'providers',
    group: 'Operate',
    summary: 'Install, list and upgrade providers; list their types',
    completes: ['install', 'list', 'upgrade', 'types', 'schema'],
    load: async () => (await import('./operate/providers.ts')).providersCommand,
  },
  {
    name: 'keys',
    group: 'Operate',
    summary: 'Show and rotate the keys of encryption at rest',
    completes: ['status', 'rotate'],
    load: async () => (await import('./operate/keys.ts')).keysCommand,
  },
  {
    name: 'backup',
    group: 'Operate',
    summary: 'Write a backup of the server to a file',
    load: async () => (await import('./operate/backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    group: 'Server',
    summary: 'Create a store from a backup',
    load: async () => (await import('./operate/restore.ts')).restoreCommand,
  },
  {
    name: 'doctor',
    group: 'Operate',
    summary: 'Check the server and its machine',
    load: async () => (await import('./operate/doctor.ts')).doctorCommand,
  },
  {
    name: 'version',
    group: 'Operate',
    summary: 'Print the version of the program and the server',
    load: async () => (await import('./operate/version.ts')).versionCommand,
  },
]
