/**
 * Invalid requests that get 400 here, with the message that kube-apiserver returns with 500: a retry can't help, and the server
 * has no fault to investigate. Also in docs/kubernetes-compatibility.md.
 */
export const refusedWith400: readonly string[] = [
  'a resource version',
  'an update with a bad version',
  'a strategic patch with a wrong directive',
  'an apply with unknown fields',
  'a thing with unknown fields by apply',
  'a thing with wrong types by apply',
  'a thing with a key twice by apply',
  'get /api/v1/namespaces/diff/configmaps?watch=true&resourceVersion=x&timeoutSeconds=1',
  'get /api/v1/namespaces/diff/configmaps/a?resourceVersion=x',
]

/** Requests with a different response here, by reason. Also in docs/kubernetes-compatibility.md. */
export const knownDifferences: Readonly<Record<string, readonly string[]>> = {
  'items of lists of built-in kinds carry their version and kind': [
    'get /api/v1/namespaces/diff/configmaps?labelSelector=a%3Db',
    'get /api/v1/namespaces/diff/configmaps?fieldSelector=metadata.name%3Da',
  ],
  'the words before "Precondition failed" are those of etcd\'s storage: "StorageError: invalid object, Code: 4, Key: /registry/…"':
    ['an update with another uid'],
  'what is wrong with YAML is told, after "yaml: line 1: ", in the words of the library that reads it': [
    'an apply that is no YAML',
  ],
  'protobuf is not among the media types of custom resources, which have no such form anywhere': [
    'get /apis/diff.example.com/v1/namespaces/diff/things accept text/plain',
  ],
}
