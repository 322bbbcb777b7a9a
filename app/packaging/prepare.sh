#!/usr/bin/env bash
# Makes the checkout ready to `run` the program or to `check` it, whatever state it finds, and says nothing when it is.
# What the system lacks is installed as root; anyone else is told the one apt line. The rest goes into .venv, by prepare.py.
set -euo pipefail
purpose=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
venv=$root/.venv

say() { printf 'separatrix: %s\n' "$*" >&2; }

ready() { "$venv/bin/python" -I "$root/app/packaging/prepare.py" ready "$purpose" 2>/dev/null; }

# --- system ---------------------------------------------------------------------------------------------------------

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
makes_venvs() { "$1" -c 'import ensurepip, venv' 2>/dev/null; }
loads() { "$python" -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' "$1" 2>/dev/null; }

# the user's own python3 where it will do, else the newest there is; one that can make environments before one that cannot
choose_python() {
    local name first=
    for name in python3 python3.{19..11}; do
        command -v "$name" >/dev/null && new_enough "$name" || continue
        first=${first:-$name}
        if makes_venvs "$name"; then
            echo "$name"
            return
        fi
    done
    echo "$first"
}

missing_packages() {
    local packages=()
    if [[ -z $python ]]; then
        packages+=(python3 python3-venv)
    elif ! makes_venvs "$python"; then
        packages+=("$python-venv")
    fi
    if [[ $(uname) == Linux && -n $python ]]; then
        loads libEGL.so.1 || packages+=(libegl1)
        loads libGL.so.1 || packages+=(libgl1 libgl1-mesa-dri)
        loads libX11.so.6 || packages+=(libx11-6)
        loads libXext.so.6 || packages+=(libxext6)
        loads libXi.so.6 || packages+=(libxi6)
        loads libXrandr.so.2 || packages+=(libxrandr2)
        loads libXinerama.so.1 || packages+=(libxinerama1)
        loads libfontconfig.so.1 || packages+=(libfontconfig1)
        loads libfreetype.so.6 || packages+=(libfreetype6)
    fi
    if [[ $purpose == check ]]; then
        command -v Xvfb >/dev/null || packages+=(xvfb)
        command -v xdotool >/dev/null || packages+=(xdotool)
        command -v rsvg-convert >/dev/null || packages+=(librsvg2-bin) # draws the SVGs, as GNOME's programs do
        if [[ $(uname) == Linux && -n $python ]]; then
            # what the browser engine of the checks loads
            loads libnss3.so || packages+=(libnss3)
            loads libglib-2.0.so.0 || packages+=(libglib2.0-0)
            loads libdbus-1.so.3 || packages+=(libdbus-1-3)
            loads libgbm.so.1 || packages+=(libgbm1)
            loads libXcomposite.so.1 || packages+=(libxcomposite1)
            loads libXdamage.so.1 || packages+=(libxdamage1)
            loads libXtst.so.6 || packages+=(libxtst6)
            loads libxkbcommon.so.0 || packages+=(libxkbcommon0)
            loads libxkbfile.so.1 || packages+=(libxkbfile1)
            # brings the library by either of its names: Debian 13 calls it libasound2t64
            loads libasound.so.2 || packages+=(alsa-utils)
        fi
    fi
    echo "${packages[*]-}"
}

apt() { DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@" </dev/null; }

# patient with a network that hiccups and with an apt-get that is busy elsewhere, but not with a network that is not there
install_packages() {
    local quick=(-o Acquire::Retries=0 -o Acquire::http::Timeout=6 -o Acquire::https::Timeout=6) said
    say "installing ${1}…"
    # shellcheck disable=SC2086  # a list of names
    set -- install -qq -y --no-install-recommends $1
    apt "${quick[@]}" "$@" >/dev/null 2>&1 && return
    said=$(apt "${quick[@]}" update -qq 2>&1 >/dev/null) || true
    if grep -qiE 'could not (connect|resolve)|unable to connect|temporary failure|timed out' <<<"$said"; then
        say "there is no network, or the proxy does not answer; nothing could be fetched. Connect, then try again."
        exit 1
    fi
    apt -o Acquire::Retries=5 update -qq >&2 && apt -o Acquire::Retries=5 "$@" >&2
}

prepare_system() {
    local packages tried=
    while python=$(choose_python); packages=$(missing_packages); [[ -n $packages ]]; do
        if ! command -v apt-get >/dev/null; then
            say "this system lacks what Debian calls: $packages. Install it, then try again."
            exit 1
        fi
        if [[ $(id -u) != 0 ]]; then
            say "this system lacks a few packages. Install them, then try again:"
            say "    sudo apt-get install $packages"
            exit 1
        fi
        if [[ $packages == "$tried" ]] || ! install_packages "$packages"; then
            say "apt-get did not provide: $packages"
            exit 1
        fi
        tried=$packages
    done
}

# Asking for the system packages costs a tenth of a second, so it is asked again only when a set-up is due, as it is
# when the list here has changed, or when the checks, which need more of the system, follow a mere run.
ready && exit 0
prepare_system
exec "$python" -I "$root/app/packaging/prepare.py" make "$purpose"
