#!/usr/bin/env bash
# Makes the checkout ready to `run` the program or to `check` it, whatever state it finds, and says nothing when it is.
# What the system lacks is installed as root; anyone else is told the one apt line. The rest goes into .venv.
set -euo pipefail
purpose=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
venv=$root/.venv
lock=$root/requirements.lock
stamp=$venv/.prepared

say() { printf 'separatrix: %s\n' "$*" >&2; }

version_of() { "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null; }

# what .venv was made from: it holds for one lock, one project file, one Python and one place
state() { printf '%s %s %s %s' "$(cat "$lock" "$root/pyproject.toml" | cksum)" "$(version_of "$venv/bin/python")" "$root" "$1"; }

ready() { [[ -f $stamp ]] && { [[ $(<"$stamp") == "$(state check)" ]] || [[ $(<"$stamp") == "$(state "$purpose")" ]]; }; }

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

# patient with a network that hiccups and with an apt-get that is busy elsewhere
apt() { DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=5 -o DPkg::Lock::Timeout=300 "$@" </dev/null >&2; }

install_packages() {
    say "installing ${1}…"
    # shellcheck disable=SC2086  # a list of names
    set -- install -qq -y --no-install-recommends $1
    apt "$@" 2>/dev/null || { apt update -qq && apt "$@"; }
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

# --- environment ----------------------------------------------------------------------------------------------------

requirements() { # the lock's first part is enough to run the program
    if [[ $purpose == run ]]; then sed '/^# --- to check it ---/,$d' "$lock"; else cat "$lock"; fi
}

# three times, some seconds apart: what a server refuses now it gives a little later
tried_again() {
    local pause
    for pause in 5 30; do
        "$@" && return
        say "that did not work; trying again in $pause seconds…"
        sleep "$pause"
    done
    "$@"
}

# .venv as it stands belongs to another Python or another place, or was left half made
unfit() {
    [[ $(version_of "$venv/bin/python") != "$(version_of "$python")" ]] || ! "$venv/bin/python" -m pip --version >/dev/null 2>&1 ||
        ! head -n 3 "$venv/bin/pip" 2>/dev/null | grep -qF "$venv/bin/python"
}

prepare_environment() {
    if unfit; then
        say "making .venv with $("$python" --version)…"
        "$python" -m venv --clear "$venv"
    fi
    rm -f "$stamp"
    say "installing what requirements.lock names (once)…"
    local wanted=$venv/requirements.txt
    requirements >"$wanted"
    local pip=("$venv/bin/python" -m pip --disable-pip-version-check --no-input --quiet --timeout 60 install)
    tried_again "${pip[@]}" --require-hashes --no-deps --only-binary :all: -r "$wanted" </dev/null >&2
    "${pip[@]}" --no-deps --no-build-isolation --editable "$root" </dev/null >&2
    state "$purpose" >"$stamp"
}

# Asking for the system packages costs a tenth of a second, so it is asked again only when a set-up is due
# or when the checks, which need more of the system, follow a mere run.
ready && exit 0
prepare_system
prepare_environment
