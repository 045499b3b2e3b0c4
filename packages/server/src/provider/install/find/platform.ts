import { arch, platform } from 'node:os'

/** The platform of this machine as packages name it: `linux_amd64`. */
export function currentPlatform(): string {
  return `${systems[platform()] ?? platform()}_${architectures[arch()] ?? arch()}`
}

const systems: Readonly<Record<string, string>> = { win32: 'windows', sunos: 'solaris' }
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' }
