#!/usr/bin/env bash
# release-image.sh build ARCH: builds the image of the version on a machine with that architecture (amd64, arm64) and pushes it to
# the registry of GitHub. release-image.sh join: gives the images of both one name, and prints `name=` and `digest=` for the workflow.
# DOCKER=echo prints the commands instead.
set -euo pipefail
cd "$(dirname "$0")/.."
docker=${DOCKER:-docker}
# Names of images are in lower case.
name=ghcr.io/${GITHUB_REPOSITORY,,}
version=$(node -p 'require("./package.json").version')
"$docker" login ghcr.io --username "$GITHUB_ACTOR" --password-stdin <<<"$GITHUB_TOKEN" >&2

case $1 in
  build)
    "$docker" build --tag "$name:$version-$2" \
      --label "org.opencontainers.image.source=https://github.com/$GITHUB_REPOSITORY" \
      --label "org.opencontainers.image.version=$version" \
      --label "org.opencontainers.image.revision=$GITHUB_SHA" .
    "$docker" push "$name:$version-$2"
    ;;
  join)
    "$docker" buildx imagetools create --tag "$name:$version" --tag "$name:latest" "$name:$version-amd64" "$name:$version-arm64" >&2
    digest=$("$docker" buildx imagetools inspect "$name:$version" --format '{{.Manifest.Digest}}')
    printf 'name=%s\ndigest=%s\n' "$name" "$digest"
    ;;
esac
