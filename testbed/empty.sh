#!/bin/sh
# Run inside a testbed whose parts have all been ended: removes what they mounted, wrote and configured, so that the
# next start finds what init.sh made.
set -eu

mounts() {
  # The deepest first.
  sed -En 's,^[^ ]+ ((/run/(netns|containerd|testbed/containerd|testbed/kubelet)|/var/lib/(containerd|kubelet))/[^ ]+) .*,\1,p' /proc/self/mounts |
    sort -ru
}
# One by one: shared mounts go together with their twins. Lazily, since a dead Pod's mount may be held a moment longer.
while at=$(mounts | head -n 1) && [ -n "$at" ]; do
  umount -l "$at"
done

for folder in /run/netns /run/containerd /run/testbed/etcd /run/testbed/registry /run/testbed/argocd /run/testbed/git \
  /run/testbed/containerd /run/testbed/kubelet /var/lib/cni /var/log/pods /var/log/containers; do
  find "$folder" -mindepth 1 -delete
done

for interface in /proc/sys/net/ipv4/conf/*; do
  name=${interface##*/}
  case $name in all | default | lo | node0) ;; *) ip link delete "$name" ;; esac
done
nft flush ruleset
conntrack -F 2>/dev/null
