/** Object identifiers of names, algorithms, extensions and purposes. */
export const identifiers = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  /** Kubernetes' own: uid of a user in the subject of a client certificate. */
  userUid: '1.3.6.1.4.1.57683.2',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  anyExtendedKeyUsage: '2.5.29.37.0',
} as const
