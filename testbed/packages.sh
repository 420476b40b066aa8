#!/bin/sh
# Debian packages that the testbed needs: containerd and runc run the Pods, the CNI plug-ins and the rest make their
# network. Installs those that are missing, and nothing that only recommends itself. `--missing` only names them.
# Further packages, for one of the extras, are named after it.
set -eu

needed="containerd runc containernetworking-plugins iptables nftables conntrack ethtool socat iproute2 openssl util-linux"
only_name=no
if [ "${1:-}" = --missing ]; then
  only_name=yes
  shift
fi

missing=
for package in $needed "$@"; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || :)
  [ "$status" = "install ok installed" ] || missing="$missing $package"
done

if [ "$only_name" = yes ]; then
  echo "${missing# }"
  exit 0
fi
if [ -z "$missing" ]; then
  echo "Debian packages: all there" >&2
  exit 0
fi
if [ "$(id -u)" != 0 ]; then
  echo "Debian packages: not run, because only root can install$missing" >&2
  exit 1
fi

echo "Debian packages: installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive
# Nothing of it is to be started by the package: the testbed starts its own, in its own namespaces.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
  trap 'rm -f "$policy"' EXIT INT TERM
fi
apt-get update -qq
# shellcheck disable=SC2086 # a list of names
apt-get install -y -qq --no-install-recommends $missing >&2
