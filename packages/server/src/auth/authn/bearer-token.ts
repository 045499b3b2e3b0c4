/** The token of an Authorization header; undefined when it holds none, which is as good as no header. */
export function bearerToken(authorization: readonly string[]): string | undefined {
  const [scheme, token] = (authorization[0] ?? '').trim().split(' ')
  return scheme?.toLowerCase() === 'bearer' && token !== undefined && token !== '' ? token : undefined
}
