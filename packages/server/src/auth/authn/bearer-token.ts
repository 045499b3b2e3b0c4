/** Returns the token of an Authorization header; undefined when the header has none, which counts as no credentials. */
export function bearerToken(authorization: readonly string[]): string | undefined {
  const [scheme, token] = (authorization[0] ?? '').trim().split(' ')
  return scheme?.toLowerCase() === 'bearer' && token !== undefined && token !== '' ? token : undefined
}
