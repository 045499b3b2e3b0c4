/** `/version`: what clients compare themselves with. The Kubernetes version is the one whose API is served. */
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

/** The version that is served, with Hykube's own after the plus sign. */
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
