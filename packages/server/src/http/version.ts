/** Document of `/version`. Clients compare its Kubernetes version with their own; it is the one whose API is served. */
export interface VersionInfo {
  readonly major: string
  readonly minor: string
  readonly gitVersion: string
  readonly gitCommit: string
  readonly gitTreeState: string
  readonly buildDate: string
  readonly goVersion: string
  readonly compiler: string
  readonly platform: string
}

/** Returns the served Kubernetes version with Hykube's own version as build metadata. */
export function versionInfo(hykubeVersion: string): VersionInfo {
  return {
    major: '1',
    minor: '36',
    gitVersion: `v1.36.3+hykube-${hykubeVersion}`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: `node${process.versions.node}`,
    compiler: 'node',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  }
}
