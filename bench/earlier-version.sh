#!/usr/bin/env bash
# bench/earlier-version.sh DIR [COMMIT]: builds a commit in a new folder, for `npm run bench -- --against DIR`. By default, that is the
# release before HEAD or, if there is none, the commit of 30 days ago.
set -euo pipefail
dir="${1:?the folder for the earlier version}"
commit="${2:-$(git describe --tags --abbrev=0 --match 'v*' HEAD^ 2>/dev/null || git rev-list -1 --before='30 days ago' HEAD)}"
git worktree add --detach "$dir" "${commit:?there is no release, and no commit is 30 days old: name one}"
cd "$dir"
npm ci --no-audit --no-fund
npm run build
