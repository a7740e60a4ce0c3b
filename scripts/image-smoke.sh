#!/usr/bin/env bash
# Builds the image and runs it as its users do. Needs a container engine: docker or podman. `ENGINE=podman` chooses one.
set -euo pipefail
cd "$(dirname "$0")/.."
engine=${ENGINE:-$(command -v docker || command -v podman || true)}
if [ -z "$engine" ]; then
  echo 'Neither docker nor podman is installed: the image was not built, and nothing was checked.' >&2
  exit 1
fi
if ! "$engine" info > /dev/null 2>&1; then
  echo "$engine is installed, but its engine does not run: the image was not built, and nothing was checked." >&2
  exit 1
fi
image=feedferry:smoke
name=feedferry-smoke-$$
trap '"$engine" rm --force "$name" > /dev/null 2>&1 || true' EXIT
fail() { echo "image-smoke: $1" >&2; exit 1; }
# As in docker-compose.yml: nothing but /data and /tmp can be written.
run() { "$engine" run --rm --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --env CMS_API_TOKEN=none "$@"; }

# Podman keeps health checks only in this format.
format=()
case $("$engine" --version) in podman*) format=(--format docker) ;; esac
"$engine" build "${format[@]}" --tag "$image" .

version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
[ "$(run "$image" --version)" = "$version" ] || fail "the image does not have version $version"
[ "$(run --entrypoint id "$image" -u)" = 1000 ] || fail 'the program does not run as the user node'
run --entrypoint sh "$image" -c '! touch /app/x 2> /dev/null' || fail 'the program can be changed'
run "$image" validate
run "$image" demo --json > /dev/null || fail 'the demo failed'
# The packages for Redis are there: what is missing is Redis.
output=$(run --env REDIS_URL=redis://127.0.0.1:1 --env CMS_BASE_URL=http://127.0.0.1:1 "$image" sync staff 2>&1 || true)
grep -q FF_QUEUE_UNAVAILABLE <<< "$output" || fail "unexpected: $output"

"$engine" run --detach --name "$name" --env CMS_API_TOKEN=none --env CMS_BASE_URL=http://127.0.0.1:1 "$image" > /dev/null
for ((i = 0; i < 90; i++)); do
  state=$("$engine" inspect --format '{{.State.Health.Status}}' "$name")
  case $state in healthy | unhealthy) break ;; esac
  sleep 1
done
[ "$state" = healthy ] || { "$engine" logs "$name"; fail "the container is $state"; }
"$engine" stop -t 20 "$name" > /dev/null
code=$("$engine" inspect --format '{{.State.ExitCode}}' "$name")
[ "$code" = 143 ] || fail "the container ended with exit code $code in place of 143"
"$engine" image inspect --format '{{.Size}}' "$image" | awk '{ printf "The image works. Its size: %.0f MB\n", $1 / 1e6 }'
