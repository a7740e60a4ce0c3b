#!/usr/bin/env bash
# Stands in for docker: builds nothing. In place of the image it runs PROGRAM, or prints what scripts/image-smoke.sh expects of it.
# Other variables change single answers. Appends its arguments to CALLS.
set -euo pipefail

run_program() {
  # scripts/smoke.sh runs the demo already.
  if [ "$1" = demo ]; then return; fi
  if [ -n "${PROGRAM:-}" ]; then $PROGRAM "$@"; elif [ "$1" = sync ]; then echo "${SYNC:-FF_QUEUE_UNAVAILABLE}"; else echo "$VERSION"; fi
}

printf '%s\n' "$*" >> "$CALLS"
command=$1
shift
case $command in
  info) exit "${INFO:-0}" ;;
  --version) echo 'Docker version 28.2.2' ;;
  inspect) case $* in *Health*) echo "${HEALTH:-healthy}" ;; *) echo "${EXIT_CODE:-143}" ;; esac ;;
  image) echo 300000000 ;;
  run)
    entrypoint=
    while [ "$1" != feedferry:smoke ]; do
      case $1 in
        --detach) exit ;;
        --entrypoint) entrypoint=$2 && shift ;;
        --env) export "${2?}" && shift ;;
      esac
      shift
    done
    shift
    case $entrypoint in
      id) echo "${USER_ID:-1000}" ;;
      sh) exit "${READ_ONLY:-0}" ;;
      *) run_program "$@" ;;
    esac
    ;;
esac
