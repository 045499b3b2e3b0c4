import type { Command } from 'commander'
import type { Host } from './host.ts'

/** The groups of commands, in the order of the help. */
export const commandGroups = ['Server', 'Work', 'Look', 'Adopt', 'Operate'] as const

/** A command before it is loaded: enough for the help and for completion. */
export interface CommandEntry {
  readonly name: string
  readonly group: (typeof commandGroups)[number]
  readonly summary: string
  /** What its words are, for completion. */
  readonly completes?: 'plan' | 'address' | readonly string[]
  readonly load: () => Promise<(host: Host) => Command>
}

/** Every command. Each is loaded when it is called, so that none pays for the others. */
export const catalogue: readonly CommandEntry[] = [
  {
    name: 'serve',
    group: 'Server',
    summary: 'run the server',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    name: 'plan',
    group: 'Work',
    summary: 'show what would be created, updated, replaced and destroyed',
    load: async () => (await import('./plan.ts')).planCommand,
  },
  {
    name: 'apply',
    group: 'Work',
    summary: 'carry out a plan; with files: write, plan, ask and apply in one go',
    completes: 'plan',
    load: async () => (await import('./apply.ts')).applyCommand,
  },
  {
    name: 'destroy',
    group: 'Work',
    summary: 'remove what is outside and leave the objects',
    load: async () => (await import('./destroy.ts')).destroyCommand,
  },
  {
    name: 'approve',
    group: 'Work',
    summary: 'approve a plan, which is then carried out',
    completes: 'plan',
    load: async () => (await import('./decide.ts')).approveCommand,
  },
  {
    name: 'reject',
    group: 'Work',
    summary: 'reject a plan',
    completes: 'plan',
    load: async () => (await import('./decide.ts')).rejectCommand,
  },
  {
    name: 'cancel',
    group: 'Work',
    summary: 'cancel a plan: what runs is ended, nothing new begins',
    completes: 'plan',
    load: async () => (await import('./cancel.ts')).cancelCommand,
  },
  {
    name: 'show',
    group: 'Look',
    summary: 'show a resource or a plan',
    completes: 'address',
    load: async () => (await import('./show.ts')).showCommand,
  },
  {
    name: 'drift',
    group: 'Look',
    summary: 'look for what was changed outside',
    load: async () => (await import('./drift.ts')).driftCommand,
  },
  {
    name: 'history',
    group: 'Look',
    summary: 'who planned, approved and applied what, and when',
    load: async () => (await import('./history.ts')).historyCommand,
  },
  {
    name: 'graph',
    group: 'Look',
    summary: 'show what refers to what',
    completes: 'address',
    load: async () => (await import('./graph.ts')).graphCommand,
  },
  {
    name: 'instances',
    group: 'Look',
    summary: 'list the instances of a resource with count or for_each',
    completes: 'address',
    load: async () => (await import('./instances.ts')).instancesCommand,
  },
  {
    name: 'import',
    group: 'Adopt',
    summary: 'take over something that exists already',
    completes: 'address',
    load: async () => (await import('./import.ts')).importCommand,
  },
  {
    name: 'import-state',
    group: 'Adopt',
    summary: 'take over all that a state file of Terraform knows',
    load: async () => (await import('./import-state.ts')).importStateCommand,
  },
  {
    name: 'export-state',
    group: 'Adopt',
    summary: 'write what is known as a state file of Terraform',
    load: async () => (await import('./export-state.ts')).exportStateCommand,
  },
  {
    name: 'resolve',
    group: 'Adopt',
    summary: 'decide about a change whose outcome is not known',
    completes: 'address',
    load: async () => (await import('./resolve.ts')).resolveCommand,
  },
  {
    name: 'undelete',
    group: 'Adopt',
    summary: 'take back the deletion of a resource that is still there',
    completes: 'address',
    load: async () => (await import('./undelete.ts')).undeleteCommand,
  },
  {
    name: 'providers',
    group: 'Operate',
    summary: 'install, list and upgrade providers, and see their types',
    completes: ['install', 'list', 'upgrade', 'types', 'schema'],
    load: async () => (await import('./providers.ts')).providersCommand,
  },
  {
    name: 'keys',
    group: 'Operate',
    summary: 'show and rotate the keys that encrypt secrets and provider state',
    completes: ['status', 'rotate'],
    load: async () => (await import('./keys.ts')).keysCommand,
  },
  {
    name: 'backup',
    group: 'Operate',
    summary: 'write everything that the server keeps into a file',
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    group: 'Server',
    summary: 'make the store of a server of a backup',
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  {
    name: 'doctor',
    group: 'Operate',
    summary: 'check the server and what it needs, and say what to do',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'version',
    group: 'Operate',
    summary: 'tell the version of this program and of the server',
    load: async () => (await import('./version.ts')).versionCommand,
  },
]
