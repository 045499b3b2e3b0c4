import type { RealPart } from './part.ts'
import { onPath } from './run.ts'

/** Terraform, which only the machine can have. */
export const terraform: RealPart = {
  name: 'terraform',
  description: 'the terraform of this machine',
  heavy: false,
  locate: () => onPath('terraform'),
  remedy: 'install terraform',
}
