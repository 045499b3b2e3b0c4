import type { RealPart } from './part.ts'
import { onPath } from './run.ts'

/** Terraform; it must be installed. */
export const terraform: RealPart = {
  name: 'terraform',
  description: 'the terraform of this machine',
  heavy: false,
  locate: () => onPath('terraform'),
  remedy: 'install terraform',
}
