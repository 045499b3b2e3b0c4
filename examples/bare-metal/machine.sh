#!/bin/sh
# A web server on a machine of one's own: creates, reads, updates and deletes it, as the JSON on its input says.
set -eu
told=$(cat)
# Enough for texts without quotes in them; with more than that, read the JSON with jq or Python.
told=${told%%\"prior_input\"*}
field() { printf '%s' "$told" | sed -n 's/.*"'"$1"'":"\([^"]*\)".*/\1/p'; }
operation=$(field operation)
name=$(field name)
site=${SITES:-/srv/sites}/$name
case $operation in
  delete)
    rm -rf "$site"
    exit 0
    ;;
  read)
    [ -e "$site/index.html" ] || { echo null; exit 0; }
    ;;
  create | update)
    mkdir -p "$site"
    printf '%s\n' "$(field title)" >"$site/index.html"
    echo "wrote $site" >&2
    ;;
esac
printf '{"id":"%s","input":{"name":"%s","title":"%s"},"output":{"path":"%s"}}\n' \
  "$name" "$name" "$(cat "$site/index.html")" "$site"
